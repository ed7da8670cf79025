import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import { latestId, storedStatus, updateParts } from '#core/proposals/index.ts';
import type {
  AppStore,
  DraftReview,
  DraftScope,
  ServiceDisagreed,
  StoredProposal,
} from '#core/store/app/index.ts';
import { fieldLabel, judgeFields } from '#shared/campaign/index.ts';
import type { CampaignEdit } from '#shared/contract/index.ts';
import { AppError, type ErrorCode } from '#shared/errors/index.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { ServiceCopy } from './rehearsal.ts';
import type { Formats } from '#shared/lib/formats.ts';

/**
 * Ends the review of drafts with their proposals: what was stored needs no draft any more, what was not comes back with the reason.
 * Begins with those that ended while the program did not run.
 */
export interface DraftSettling extends AsyncDisposable {
  /** Some proposal changed. */
  look(proposalId: string): void;
}

export interface DraftSettlingOptions {
  store: AppStore;
  clock: Clock;
  logger: Logger;
  /** Opens a copy of a profile's service in memory. */
  openCopy(profileId: string): ServiceCopy;
  /** Called after drafts of these campaigns changed. */
  onChange(cids: readonly number[]): void;
  /** How numbers and moments are written at this time. */
  formats(): Formats;
}

export function createDraftSettling(options: DraftSettlingOptions): DraftSettling {
  const { store, clock, logger, openCopy, onChange, formats } = options;
  const { fields, steps, reviews, disagreements } = store.drafts;

  /** The proposal, or the one that took its place in the end. Null for one that is not on record any more. */
  function latestOf(proposalId: string): StoredProposal | null {
    return store.proposals.find(latestId(store, proposalId));
  }

  function settle(review: DraftScope & DraftReview, proposal: StoredProposal | null): boolean {
    const { cid } = review;
    if (proposal === null) return putBack(review, 'Its proposal is not on record any more.');
    const isFollowed = proposal.id !== review.proposalId;
    const followed = { ...review, proposalId: proposal.id, returned: isFollowed ? null : review.returned };
    if (isFollowed) reviews.put(review, followed);
    if (followed.returned !== null) return isFollowed;
    switch (proposal.state) {
      case 'verified':
      case 'done':
        compare(followed, proposal);
        return end(followed, []);
      case 'differs':
        compare(followed, proposal);
        return end(followed, notStored(proposal, cid));
      case 'refused':
        compare(followed, proposal);
        return putBack(followed, reasonOf(proposal, formats()));
      case 'denied':
      case 'expired':
      case 'withdrawn':
      case 'stale':
        return putBack(followed, reasonOf(proposal, formats()));
      default:
        // The page says that it is being sent.
        return isFollowed || !isUndecided(proposal.state);
    }
  }

  /** Ends the drafts that were stored; those of the fields that were not come back. */
  function end(review: DraftScope & DraftReview, missed: readonly string[]): boolean {
    const { cid } = review;
    const left = fields.of(review, cid).filter(({ field }) => missed.includes(field));
    fields.remove(review, cid);
    steps.dropCampaign(review, cid);
    for (const one of left) fields.put(review, one);
    if (left.length > 0) return putBack(review, notStoredWords(left.map(({ field }) => field)));
    reviews.remove(review, cid);
    return true;
  }

  function putBack(review: DraftScope & DraftReview, reason: string): boolean {
    reviews.put(review, { ...review, returned: { atMs: clock.nowMs(), reason } });
    return true;
  }

  /** Records where the copy of the service and the service itself disagreed about this write. */
  function compare(review: DraftScope & DraftReview, proposal: StoredProposal): void {
    const { cid, profileId } = review;
    const drafted = fields.of(review, cid).map(({ field }) => field);
    const found = disagreementOf(review, proposal, drafted);
    if (found !== null) disagreements.add(profileId, { cid, atMs: clock.nowMs(), ...found });
  }

  function disagreementOf(
    { rehearsed, cid, profileId }: DraftScope & DraftReview,
    proposal: StoredProposal,
    drafted: string[],
  ): (ServiceDisagreed & { fields: string[] }) | null {
    const { state, outcome } = proposal;
    if (rehearsed === null) return null;
    if (state !== 'refused') {
      if (rehearsed === 'refused') return { service: 'accepted', fields: drafted };
      const otherwise = storedOtherwise(proposal, cid, () => copyOf(profileId)).filter(
        (field) => field === 'status' || drafted.includes(field),
      );
      return otherwise.length === 0 ? null : { service: 'stored_otherwise', fields: otherwise };
    }
    if (rehearsed === 'refused' || outcome === null || !aboutThePayload.has(outcome.code)) return null;
    return { service: 'refused', fields: drafted, reason: outcome.message };
  }

  /** One copy for a burst, opened where a write has to be compared. */
  let copies = new Map<string, ServiceCopy>();
  function copyOf(profileId: string): ServiceCopy {
    const copy = copies.get(profileId) ?? openCopy(profileId);
    copies.set(profileId, copy);
    return copy;
  }

  let closing: Promise<unknown> = Promise.resolve();
  function closeCopies(): void {
    const open = [...copies.values()];
    copies = new Map();
    closing = Promise.all([closing, ...open.map((copy) => copy.dispose())]);
  }

  /** One transaction for all that changed in a burst. */
  function settleAll(proposalIds: readonly string[]): void {
    try {
      const changed = store.transaction(() =>
        proposalIds.flatMap((id) => {
          const affected = reviews.ofProposal(id);
          if (affected.length === 0) return [];
          const proposal = latestOf(id);
          return affected.filter((review) => settle(review, proposal)).map(({ cid }) => cid);
        }),
      );
      if (changed.length > 0) onChange([...new Set(changed)]);
    } catch (failure) {
      logger.error({ failure }, 'Drafts could not follow their proposals');
    } finally {
      closeCopies();
    }
  }

  const changed = new Set<string>();
  let due: NodeJS.Immediate | null = null;
  function sweep(): void {
    due = null;
    const ids = [...changed];
    changed.clear();
    settleAll(ids);
  }

  settleAll(reviews.proposalIds());
  return {
    look(proposalId) {
      changed.add(proposalId);
      // Never within the transaction of a change.
      due ??= setImmediate(sweep);
    },
    async dispose() {
      if (due !== null) clearImmediate(due);
      await closing;
    },
  };
}

/** The fields that the service did not store as they were sent, as far as its answers tell. */
function notStored(proposal: StoredProposal, cid: number): string[] {
  if (proposal.prunedAtMs !== null) return [];
  if (proposal.operation === 'campaign.status') {
    const verdict = storedStatus(proposal, cid);
    return verdict === undefined || verdict === 'stored' ? [] : ['status'];
  }
  return proposal.verdicts.filter(({ verdict }) => verdict === 'different').map(({ field }) => field);
}

const notStoredWords = (missed: readonly string[]): string =>
  `The service did not store what was approved: ${missed.map(fieldLabel).join(', ')}.`;

/**
 * Fields that the service stored in another way than the copy stores the same payload: as sent where the copy changes it, changed where
 * the copy does not. The copy is asked again: it says the same of the same read.
 */
function storedOtherwise(proposal: StoredProposal, cid: number, copy: () => ServiceCopy): string[] {
  if (proposal.prunedAtMs !== null) return [];
  if (proposal.operation === 'campaign.status')
    return storedStatus(proposal, cid) === 'different' ? ['status'] : [];
  if (proposal.operation !== 'campaign.update') return [];
  const { before: campaign, after: payload, context } = updateParts(proposal);
  const read = { campaign, campaign_types: context.types, settings: context.settings };
  const copied = writtenTo(copy(), read, payload);
  if (copied === null) return [];
  const onCopy = judgeFields(payload, copied);
  return proposal.verdicts
    .filter(({ field, verdict }) => judged.has(verdict) && onCopy.get(field) !== verdict)
    .map(({ field }) => field);
}

/** Verdicts that say how a field is stored. */
const judged: ReadonlySet<string> = new Set(['stored', 'normalised', 'different']);

/** The campaign as the copy stores it; null where it says nothing, or refuses now. */
function writtenTo(copy: ServiceCopy, read: CampaignEdit, payload: JsonObject): JsonObject | null {
  try {
    return copy.write(read, { kind: 'update', payload });
  } catch (failure) {
    if (failure instanceof AppError) return null;
    throw failure;
  }
}

/** Refusals that a rehearsal should have foreseen: they are about the campaign and not about the sign-in or the balance. */
const aboutThePayload: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'validation_failed',
  'operation_refused',
]);

function reasonOf({ state, reason, outcome, conflict }: StoredProposal, formats: Formats): string {
  switch (state) {
    case 'denied':
      return reason === null ? 'You denied it.' : `You denied it: ${inertText(reason)}`;
    case 'expired':
      return outcome === null || outcome.code === 'proposal_expired'
        ? 'It expired before it was decided. Nothing was sent.'
        : outcome.message;
    case 'withdrawn':
      return outcome?.message ?? 'It was withdrawn. Nothing was sent.';
    case 'stale': {
      const fields = formats.counted(conflict.length, 'field');
      const also = conflict.length === 0 ? '' : ` ${fields} of this draft changed there.`;
      return `${outcome?.message ?? 'The campaign changed before it was sent. Nothing was sent.'}${also}`;
    }
    default:
      return outcome?.message ?? 'The service refused it.';
  }
}
