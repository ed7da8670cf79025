import { type AppStore, maxLastWrites, type StoredProposal } from '#core/store/app/index.ts';
import {
  type ProposalView,
  targetsPerPage,
  type UndoView,
  type CreativePicture,
} from '#shared/app-api/index.ts';
import { sumPairs, diffCampaigns, serviceDay, fieldLabel } from '#shared/campaign/index.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { webHost } from '#shared/lib/web-address.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import { factsInWords, type FactView, type LastChange, lastChangeInWords } from '#shared/wording/index.ts';
import type { Describe, ProposalWords } from '../operations/operation.ts';
import {
  knownChange,
  toolCallParts,
  isUploadOf,
  uploadPicture,
} from '../operations/tool-call/known-change.ts';
import { readStoredCall } from '../operations/tool-call/stored-parts.ts';
import { updateParts } from '../operations/update.ts';
import { knownEffects, writtenStatusMoves } from '../operations/written-effects.ts';
import { recordOf } from './list-proposals.ts';

interface ViewOptions {
  store: AppStore;
  originsOf(profileId: string): readonly string[];
  describe: Describe;
  undoOf(proposal: StoredProposal): UndoView | null;
  nowMs(): number;
  formats(): Formats;
}

export function createView({ store, originsOf, describe, undoOf, nowMs, formats }: ViewOptions) {
  return (proposal: StoredProposal): ProposalView => {
    const words = describe(proposal);
    const pictures = creativePicturesOf(proposal, originsOf(proposal.profile.id));
    const queue = queueOf(store, proposal, words, formats());
    const shown = withoutLongLists(proposalView(proposal, words, queue, formats()));
    const undo = undoOf(proposal);
    const last = shown.facts.length === 0 ? null : lastChangeFact(proposal, { store, nowMs });
    return {
      ...shown,
      ...(last !== null && { facts: [...shown.facts, last] }),
      ...(pictures.length > 0 && { pictures }),
      ...(undo !== null && { undo }),
    };
  };
}

function proposalView(
  stored: StoredProposal,
  { comparable: _comparable, operand: _operand, effects: _effects, facts, ...words }: ProposalWords,
  queue: ProposalView['queue'],
  formats: Formats,
): ProposalView {
  const { quotation, payload, fingerprint, rebase, conflict, verdicts, reason, prunedAtMs } = stored;
  return {
    ...recordOf(stored),
    quotation,
    ...words,
    facts: factsInWords(facts, formats),
    queue,
    payload,
    fingerprint,
    ...(stored.headline.approvalEndsAtMs !== undefined && {
      approvalEndsAtMs: stored.headline.approvalEndsAtMs,
    }),
    ...(canPrepareAgain(stored) && { canPrepareAgain: true }),
    rebase,
    conflict,
    verdicts,
    reason,
    prunedAtMs,
  };
}

const maxInView = 1_000;

function withoutLongLists(view: ProposalView): ProposalView {
  const { targets, detail } = view;
  if (targets.length <= maxInView) return view;
  const changing = targets.filter(({ statusBefore, statusAfter }) => statusBefore !== statusAfter).length;
  return {
    ...view,
    targets: [],
    listed: { campaigns: targets.length, changing },
    changes: [],
    unchanged: [],
    detail:
      detail.kind === 'batch'
        ? { ...detail, members: detail.members.map((member) => ({ ...member, targets: [] })) }
        : detail,
  };
}

export function listedTargets(
  { targets }: Pick<ProposalWords, 'targets'>,
  from: number,
): ProposalView['targets'] {
  return targets.slice(from, from + targetsPerPage);
}

function canPrepareAgain(stored: StoredProposal): boolean {
  const { state, operation, replacedBy, prunedAtMs, headline } = stored;
  if (replacedBy !== null || prunedAtMs !== null) return false;
  const mayEnd = state === 'expired' || (isUndecided(state) && headline.approvalEndsAtMs !== undefined);
  if (!mayEnd) return false;
  if (operation === 'tool.call') return readStoredCall(stored).stored.preparation !== null;
  return operation === 'campaign.update' || operation === 'campaign.status';
}

function queueOf(
  store: AppStore,
  { state, operation, profile }: StoredProposal,
  { detail }: ProposalWords,
  formats: Formats,
): ProposalView['queue'] {
  if (!isUndecided(state) || operation === 'agent.admit') return null;
  const money = store.proposals.waitingMoney(profile.id);
  const own =
    detail.kind === 'batch' ? detail.members.filter((member) => isUndecided(member.state)).length : 1;
  if (money.length <= own) return null;
  const { pair, alwaysUnlimited } = sumPairs(money, formats);
  return { count: money.length, perDay: pair, ...(alwaysUnlimited > 0 && { alwaysUnlimited }) };
}

interface LastChangeOptions {
  store: { proposals: Pick<AppStore['proposals'], 'lastWritesTo'> };
  nowMs(): number;
}

/** The last change of the campaign through this app. Null for a decided proposal, several campaigns, or an incomplete record. */
export function lastChangeFact(
  proposal: StoredProposal,
  { store, nowMs }: LastChangeOptions,
): FactView | null {
  const { state, profile, targets } = proposal;
  const [cid, ...others] = targets;
  if (!isUndecided(state) || cid === undefined || others.length > 0) return null;
  const writes = store.proposals.lastWritesTo({ profileId: profile.id, cid });
  const last = writes.find((stored) => mayHaveChanged(stored, cid));
  if (last === undefined && writes.length >= maxLastWrites) return null;
  return lastChangeInWords(last === undefined ? null : changeOf(last, cid, profile.zone), {
    currentYear: Number(serviceDay(nowMs(), profile.zone).date.slice(0, 4)),
  });
}

function mayHaveChanged(stored: StoredProposal, cid: number): boolean {
  const effects = knownEffects(stored);
  if (effects === null) return true;
  if (effects.some((effect) => effect.cid === cid)) return true;
  // The write was sent, but no read reported the campaign, so the campaign may have changed.
  const isUntold = writtenStatusMoves(stored).some((move) => move.cid === cid && move.after === null);
  return isUntold || (effects.length === 0 && stored.targets.length === 1);
}

function changeOf(stored: StoredProposal, cid: number, zone: string): LastChange {
  const effects = knownEffects(stored);
  const ofCampaign = (effects ?? []).filter((effect) => effect.cid === cid);
  return {
    effects: ofCampaign.flatMap(({ before, after }) => diffCampaigns(before, after)),
    title: stored.headline.title,
    by: stored.proposedBy,
    date: serviceDay(stored.intentAtMs ?? stored.updatedAtMs, zone).date,
    doubt: ofCampaign.length > 0 ? null : doubtOf(stored, effects !== null),
  };
}

function doubtOf({ state }: StoredProposal, hasDetails: boolean): LastChange['doubt'] {
  if (state === 'differs') return 'differs';
  if (state === 'unknown') return 'unknown';
  return state === 'done' || !hasDetails ? null : 'unknown';
}

const pictureFields = ['icon', 'image'] as const;

function creativePicturesOf(proposal: StoredProposal, ownOrigins: readonly string[]): CreativePicture[] {
  const uploaded = uploadIn(proposal, ownOrigins);
  if (uploaded !== null) return uploaded;
  const sides = sidesOf(proposal);
  return sides === null ? [] : picturesBetween(sides, ownOrigins);
}

export function picturesOfCampaign(campaign: JsonObject, ownOrigins: readonly string[]): CreativePicture[] {
  return picturesBetween({ before: campaign, after: campaign }, ownOrigins);
}

interface Sides {
  before: JsonObject;
  after: JsonObject;
}

function picturesBetween(sides: Sides, ownOrigins: readonly string[]): CreativePicture[] {
  return pictureFields.flatMap((field) => {
    const [before, after] = [urlIn(sides.before[field]), urlIn(sides.after[field])];
    const named = (side: CreativePicture['side'], url: string | null): CreativePicture[] =>
      pictureAt(url, { field, side, ownOrigins });
    return before === after ? named('same', after) : [...named('before', before), ...named('after', after)];
  });
}

function pictureAt(
  url: string | null,
  at: Pick<CreativePicture, 'field' | 'side'> & { ownOrigins: readonly string[] },
): CreativePicture[] {
  const { field, side, ownOrigins } = at;
  const host = url === null ? null : webHost(url);
  if (url === null || host === null) return [];
  const isOwn = ownOrigins.includes(URL.parse(url)?.origin ?? '');
  return [{ field, label: fieldLabel(field), side, url, host, isOwn }];
}

function uploadIn(
  { operation, prunedAtMs, payload, base }: StoredProposal,
  ownOrigins: readonly string[],
): CreativePicture[] | null {
  if (operation !== 'tool.call' || prunedAtMs !== null) return null;
  const parts = toolCallParts({ payload, base });
  const { upload, uploadFor } = parts;
  if (!isUploadOf(parts, upload)) return null;
  const now = pictureAt(urlIn(uploadFor?.picture), { field: upload.kind, side: 'now', ownOrigins });
  return [...now, uploadPicture(upload)];
}

function sidesOf(proposal: StoredProposal): Sides | null {
  if (proposal.prunedAtMs !== null) return null;
  if (proposal.operation === 'campaign.update') return updateParts(proposal);
  if (proposal.operation !== 'tool.call') return null;
  const parts = toolCallParts(proposal);
  const change = parts.subject.kind === 'update' ? knownChange(parts) : null;
  return change === null ? null : updateParts(change);
}

function urlIn(value: JsonValue | undefined): string | null {
  const url = isJsonObject(value) ? value['url'] : value;
  return typeof url === 'string' ? url : null;
}
