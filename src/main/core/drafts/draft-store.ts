import { done } from '#core/platform/checked-handlers.ts';
import type { Clock } from '#core/platform/clock.ts';
import { createTokenFinder, credentialInside } from '#core/platform/credentials.ts';
import type { Profile } from '#core/profiles/index.ts';
import { updateParts } from '#core/proposals/index.ts';
import type { CampaignCache } from '#core/reads/index.ts';
import type { AppStore, DraftChange, DraftReview, AccountScope } from '#core/store/app/index.ts';
import type { AppHandlers, AppInput, AppOutput, CampaignDraftView } from '#shared/app-api/index.ts';
import { applyDraft, type CampaignDraft, type FieldDraft } from '#shared/drafts/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { jsonEqual, own } from '#shared/lib/json/json-value.ts';

export interface DraftStoreOptions {
  store: AppStore;
  campaignCache: Pick<CampaignCache, 'nameOf'>;
  clock: Pick<Clock, 'nowMs'>;
  profile(): Pick<Profile, 'id' | 'account'>;
  onChange(cids: readonly number[]): void;
}

type DraftStepInput = Pick<AppInput<'drafts.change'>, 'title' | 'changes' | 'continues'>;

type EditRequests = Pick<AppHandlers, 'drafts.get' | 'drafts.change' | 'drafts.undo' | 'drafts.redo'>;

/** The drafts of the active account. Each call is one transaction, on disk when it returns. Fails with `storage_failed`. */
export interface DraftStore {
  scope(): AccountScope;
  draftOf(scope: AccountScope, cid: number): CampaignDraft;
  /** Campaigns with drafts, in the order of their first draft. */
  cids(scope: AccountScope): number[];
  /** Stores one step and returns its id. Fails with `draft_proposed`. */
  change(scope: AccountScope, step: DraftStepInput): number;
  /** Fails with `draft_proposed`. */
  assertNotProposed(scope: AccountScope, cid: number): void;
  requests: EditRequests;
}

type RefusedField = NonNullable<CampaignDraftView['returned']>['fields'][number];

export function createDraftStore(options: DraftStoreOptions): DraftStore {
  const { store, campaignCache, clock, profile, onChange } = options;
  const findToken = createTokenFinder(store.oauth, clock);
  const { fields, steps, reviews, adopt } = store.drafts;

  /** Returns the active scope. Assigns drafts without an account to the account, because they were made before it was known. */
  function scope(): AccountScope {
    const { id, account } = profile();
    if (account !== '') adopt(id, account);
    return { profileId: id, account };
  }

  /**
   * Writes changes. Unlinks a returned proposal if no field still has its refused value, because its refusal no longer
   * applies.
   */
  function write(at: AccountScope, changes: readonly DraftChange[]): void {
    for (const { field, draft } of changes) {
      const found = draft === null ? null : findToken({ ...draft });
      if (found !== null) throw credentialInside(field, found);
    }
    const cids = cidsOf(changes);
    for (const cid of cids) assertNotProposed(at, cid);
    for (const change of changes) fields.put(at, change);
    for (const cid of cids) {
      const review = reviews.of(at, cid);
      if (review !== null && refusedFields(review, draftOf(at, cid)).length === 0) reviews.remove(at, cid);
    }
  }

  function draftOf(at: AccountScope, cid: number): CampaignDraft {
    return Object.fromEntries(fields.of(at, cid).map(({ field, draft }) => [field, draft]));
  }

  function refusedFields({ proposalId }: DraftReview, draft: CampaignDraft): RefusedField[] {
    const outcomeFields = store.proposals.findListed(proposalId)?.outcome?.fields ?? [];
    const proposal = outcomeFields.length === 0 ? null : store.proposals.find(proposalId);
    if (proposal?.operation !== 'campaign.update' || proposal.prunedAtMs !== null) return [];
    const { before, after } = updateParts(proposal);
    const now = applyDraft(before, draft).payload;
    return outcomeFields
      .filter(({ field }) => jsonEqual(own(now, field), own(after, field)))
      .map(({ field, message }) => ({ field, message }));
  }

  function assertNotProposed(at: AccountScope, cid: number): void {
    if (reviews.of(at, cid)?.returned === null) throw new AppError('draft_proposed');
  }

  function change(at: AccountScope, { title, changes, continues = false }: DraftStepInput): number {
    const id = store.transaction(() => {
      const stepChanges = lastChangePerField(changes).map(({ cid, field, draft }) => {
        return { cid, field, before: fields.field(at, cid, field), after: draft };
      });
      write(at, changes);
      return (
        (continues ? steps.extend(at, stepChanges) : null) ?? steps.add(at, { title, changes: stepChanges })
      );
    });
    onChange(cidsOf(changes));
    return id;
  }

  function applyStep(direction: 'undo' | 'redo'): void {
    const at = scope();
    const changes = store.transaction(() => {
      const step = steps.next(at, direction);
      if (step === null) return [];
      write(at, step.changes);
      steps.mark(step.id, direction === 'undo');
      return step.changes;
    });
    if (changes.length > 0) onChange(cidsOf(changes));
  }

  function campaigns(at: AccountScope, wanted: ReadonlySet<number> | null): CampaignDraftView[] {
    const drafts = new Map<number, Record<string, FieldDraft>>();
    const rows = wanted === null ? fields.all(at) : [...wanted].flatMap((cid) => fields.of(at, cid));
    for (const { cid, field, draft } of rows) drafts.set(cid, { ...drafts.get(cid), [field]: draft });
    const known = wanted === null ? reviews.all(at) : [...wanted].flatMap((cid) => reviews.of(at, cid) ?? []);
    const reviewOfCid = new Map(known.map((review) => [review.cid, review]));
    return [...drafts].map(([cid, drafted]) => ({
      cid,
      name: campaignCache.nameOf(at.profileId, cid),
      fields: drafted,
      ...reviewOf(reviewOfCid.get(cid), drafted),
    }));
  }

  function reviewOf(
    review: DraftReview | undefined,
    draft: CampaignDraft,
  ): Pick<CampaignDraftView, 'proposalId' | 'proposalState' | 'returned'> {
    if (review === undefined) return { proposalId: null, proposalState: null, returned: null };
    const { proposalId, returned } = review;
    if (returned === null) {
      const { state = null } = store.proposals.findListed(proposalId) ?? {};
      return { proposalId, proposalState: state, returned };
    }
    return {
      proposalId: null,
      proposalState: null,
      returned: { ...returned, fields: refusedFields(review, draft) },
    };
  }

  function get(wanted: readonly number[] | null): AppOutput<'drafts.get'> {
    const at = scope();
    const history = { undo: steps.nextTitle(at, 'undo'), redo: steps.nextTitle(at, 'redo') };
    const newestStep = steps.newest(at);
    return { campaigns: campaigns(at, wanted && new Set(wanted)), history, newestStep };
  }

  return {
    scope,
    change,
    assertNotProposed,
    draftOf,
    cids: (at) => [...new Set(fields.all(at).map(({ cid }) => cid))],
    requests: {
      'drafts.get': async ({ cids }) => get(cids),
      async 'drafts.change'(input) {
        return { step: change(scope(), input) };
      },
      'drafts.undo': done(() => applyStep('undo')),
      'drafts.redo': done(() => applyStep('redo')),
    },
  };
}

function cidsOf(changes: readonly DraftChange[]): number[] {
  return [...new Set(changes.map(({ cid }) => cid))];
}

function lastChangePerField(changes: readonly DraftChange[]): DraftChange[] {
  return [...new Map(changes.map((change) => [`${change.cid} ${change.field}`, change])).values()];
}
