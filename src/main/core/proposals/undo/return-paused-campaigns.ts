import type { Connection, Connections } from '#core/connections/index.ts';
import { oncePerKey } from '#core/platform/work-queues.ts';
import type { AppStore, StoredProposal, StoredStatusChange } from '#core/store/app/index.ts';
import type { AppOutput, ProposalView } from '#shared/app-api/index.ts';
import { type CampaignRow, isStatusCode, type StatusCode } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { isOpen, isUndecided } from '#shared/proposals/states.ts';
import type { UndoRequest } from '../operations/batch/prepare.ts';
import { type Skipped as Left, loadProposal } from '../operations/stored-proposals.ts';
import { findRows, lookForRows } from '../operations/status-change/find-list-rows.ts';
import { inParts } from '../operations/status-change/prepare.ts';
import { statusGroups, writtenEffects } from '../operations/written-effects.ts';
import { inProgress, nothingToReverse } from './reversal.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { ownWords, sentence, type Sentence } from '#shared/lib/sentence.ts';
import { statusInWords } from '#shared/wording/index.ts';

interface ReturnsOptions {
  store: AppStore;
  connections: Pick<Connections, 'current' | 'of'>;
  gate: {
    proposeUndo(request: UndoRequest): Promise<ProposalView>;
    get(id: string): ProposalView;
  };
  /** Pauses that belong to an emergency stop. They must be kept, because the stop may still reverse them itself. */
  neededOf(profileId: string): ReadonlySet<string>;
  formats(): Formats;
}

type Skipped = Left & { isForNow: boolean };

export type Returns = ReturnType<typeof createReturns>;

/** Offers to return the campaigns of a pause to their earlier statuses, until that is done, dismissed or made obsolete. */
export function createReturns({ store, connections, gate, neededOf, formats }: ReturnsOptions) {
  const once = oncePerKey<ProposalView>();
  const profileId = (): string => connections.current().profile.id;

  const isLocked = (id: string, { cid, atMs }: StoredStatusChange): boolean =>
    store.statusChanges.hasUnknownSince(id, cid, atMs) || store.proposals.lockOf(id, cid) !== null;

  const isReturning = (pauseId: string): boolean =>
    store.proposals.undosOf(pauseId).some(({ state }) => isOpen(state));

  function offered(id: string): StoredStatusChange[] {
    const changes = store.statusChanges.offered(id);
    if (changes.length === 0) return [];
    const needed = neededOf(id);
    return changes.filter(({ proposalId }) => !needed.has(proposalId));
  }

  function offerOf(
    proposalId: string,
    changes: readonly StoredStatusChange[],
  ): AppOutput<'campaigns.returns'>['items'][number] {
    const pause = store.proposals.find(proposalId);
    return {
      proposalId,
      atMs: Math.max(pause?.updatedAtMs ?? 0, ...changes.map(({ atMs }) => atMs)),
      pausedCount: Math.max(changes.length, pause === null ? 0 : pausedBy(pause).size),
      cids: changes.map(({ cid }) => cid),
    };
  }

  async function split(
    { member, profile }: Connection,
    pauses: readonly StoredProposal[],
  ): Promise<{ back: StoredStatusChange[]; skipped: Skipped[] }> {
    const ids = new Set(pauses.map(({ id }) => id));
    const changes = new Map(
      offered(profile.id).flatMap((one) => (ids.has(one.proposalId) ? [[one.cid, one] as const] : [])),
    );
    const names = new Map(pauses.flatMap((pause) => [...pausedBy(pause)]));
    const cids = [...new Set([...names.keys(), ...changes.keys()])];
    const rows = await lookForRows(member, cids);
    const back: StoredStatusChange[] = [];
    const skipped: Skipped[] = [];
    for (const cid of cids) {
      const change = changes.get(cid);
      const row = rows.get(cid);
      const isForNow = change !== undefined && isLocked(profile.id, change);
      const because = isForNow ? inProgress : reasonToStay(change, row);
      if (change !== undefined && because === null) back.push(change);
      else
        skipped.push({
          what: nameOf(cid, row?.name ?? names.get(cid)),
          because: because ?? sentence``,
          isForNow,
        });
    }
    return { back, skipped };
  }

  async function propose(
    pauses: readonly [StoredProposal, ...StoredProposal[]],
    schedule: string | null,
  ): Promise<ProposalView> {
    const [pause] = pauses;
    const { id } = pause.profile;
    const connection = connections.of(id);
    const { back, skipped: stay } = await split(connection, pauses);
    if (connections.of(id) !== connection) throw new AppError('profile_changed');
    const skipped = stay.map(({ what, because }) => ({ what, because }));
    const neverExpires = schedule !== null;
    const statuses = [...byStatusBefore(back)].flatMap(([status, cids]) =>
      inParts(cids).map((part) => ({ status, cids: part, neverExpires })),
    );
    if (statuses.length === 0) {
      if (stay.every(({ isForNow }) => !isForNow))
        for (const one of pauses) store.statusChanges.dismiss(id, one.id);
      throw nothingToReverse(skipped);
    }
    return gate.proposeUndo({
      connection,
      ...(schedule !== null && { schedule }),
      equally: sentence`Return ${ownWords(formats().counted(back.length, 'campaign'))} to their earlier statuses`,
      updates: [],
      statuses,
      asOne: { kind: 'return', pausedAtMs: pause.updatedAtMs },
      skipped,
      undoes: { id: pause.id, skipped },
    });
  }

  return {
    list(): AppOutput<'campaigns.returns'> {
      const id = profileId();
      const pauses = Map.groupBy(
        offered(id).filter((change) => !isLocked(id, change)),
        ({ proposalId }) => proposalId,
      );
      const planned = new Set(store.pauseReturns.plannedPauses(id));
      const items = [...pauses]
        .filter(([pauseId]) => !isReturning(pauseId) && !planned.has(pauseId))
        .map(([pauseId, changes]) => offerOf(pauseId, changes));
      return { items: items.toSorted((one, other) => other.atMs - one.atMs) };
    },
    /**
     * Proposes an undo of the pause, or returns the waiting undo. Fails with `nothing_to_reverse`,
     * and ends the offer if nothing is left to return, or as the reads and the gate do.
     */
    async propose(proposalId: string): Promise<ProposalView> {
      const pause = loadProposal(store, proposalId);
      if (pause.profile.id !== profileId()) throw new AppError('profile_changed');
      const waiting = store.proposals.undosOf(proposalId).find(({ state }) => isUndecided(state));
      return waiting === undefined ? once(proposalId, () => propose([pause], null)) : gate.get(waiting.id);
    },
    /**
     * Proposes the return of timed pauses under the name of a schedule, or returns the undo of one of them that waits.
     * Fails with `nothing_to_reverse` if nothing can be returned now, or as the reads and the gate do.
     */
    async proposeDue(pauseIds: readonly string[], schedule: string): Promise<ProposalView> {
      const [first, ...more] = pauseIds.map((id) => loadProposal(store, id));
      if (first === undefined) throw new AppError('proposal_not_found');
      const undos = pauseIds.flatMap((id) => store.proposals.undosOf(id));
      const waiting = undos.find(({ state }) => isUndecided(state));
      return waiting === undefined
        ? once(first.id, () => propose([first, ...more], schedule))
        : gate.get(waiting.id);
    },
    campaignsOf: (profile: string, pauseId: string): number[] =>
      offered(profile).flatMap(({ proposalId, cid }) => (proposalId === pauseId ? [cid] : [])),
    dismiss: (proposalId: string): void => store.statusChanges.dismiss(profileId(), proposalId),
    /** Fails with `campaign_not_found`, or as the reads do. */
    async statusGroups(cids: readonly number[]): Promise<AppOutput<'campaigns.statusGroups'>> {
      const { member, profile } = connections.current();
      return { groups: statusGroups(store, profile.id, await findRows(member, [...new Set(cids)])) };
    },
  };
}

function reasonToStay(change: StoredStatusChange | undefined, row: CampaignRow | undefined): Sentence | null {
  if (row === undefined) return sentence`It is gone.`;
  const isNow = ownWords(`It is ${statusInWords(row.status)} now`);
  if (change === undefined) return sentence`${isNow}: another change through this app followed.`;
  return row.status === change.after ? null : sentence`${isNow}: changed since, not through this app.`;
}

function pausedBy(pause: StoredProposal): ReadonlyMap<number, string> {
  if (pause.prunedAtMs !== null) return new Map();
  return new Map(writtenEffects(pause).map(({ cid, name }) => [cid, name]));
}

function nameOf(cid: number, name: string | undefined): Sentence {
  return name === undefined ? sentence`Campaign ${cid}` : sentence`${name} (${cid})`;
}

function byStatusBefore(changes: readonly StoredStatusChange[]): ReadonlyMap<StatusCode, number[]> {
  const cids = new Map<StatusCode, number[]>();
  for (const { cid, before } of changes) {
    if (isStatusCode(before)) cids.set(before, [...(cids.get(before) ?? []), cid]);
  }
  return cids;
}
