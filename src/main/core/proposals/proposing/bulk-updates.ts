import type { Connection, Connections } from '#core/connections/index.ts';
import { concurrentReads, mapConcurrently } from '#core/platform/work-queues.ts';
import { viewOf } from '#core/profiles/index.ts';
import { type CampaignRead, isAway } from '#core/service-client/index.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { editFailures, statusAlone } from '#shared/campaign/index.ts';
import type { StatusCode } from '#shared/contract/index.ts';
import { AppError, type FieldError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { type PreparedWrite, type Proposer, you } from '../operations/operation.ts';
import { prepareStatus } from '../operations/status-change/prepare.ts';
import { draftUpdate } from '../operations/update/write.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { ownWords, type Sentence, sentence } from '#shared/lib/sentence.ts';

/** Undecided changes of drafts, besides the other places: at most one per campaign, each drafted by a person. */
export const placesForDrafts = 1_000;

export interface SeveralUpdates {
  connection: Connection;
  cids: readonly number[];
  /** The complete campaign to send. Fails with the reason why it is not proposed. */
  workOut(cid: number, read: CampaignRead): JsonObject;
  /** Called right before it is proposed. Fails with the reason why it is not. */
  assertStillMeant(cid: number): void;
  /** Joins the transaction of the proposals. */
  record(proposed: ProposedUpdates['proposed']): void;
}

export interface ProposedUpdates {
  proposed: { cid: number; proposalId: string }[];
  refused: { cid: number; message: string; fields: FieldError[] }[];
}

export interface SeveralUpdatesOptions {
  store: AppStore;
  connections: Pick<Connections, 'of'>;
  /** The caller keeps within {@link placesForDrafts}. */
  addOfDrafts(drafts: readonly PreparedWrite[], proposer: Proposer): StoredProposal[];
  waitingByRisk(): readonly { id: string }[];
  formats(): Formats;
}

type WorkedOut = { cid: number } & (
  | { kind: 'update'; draft: PreparedWrite }
  | { kind: 'status'; status: StatusCode }
  | { kind: 'refused'; failure: AppError }
);

export function createSeveralUpdates(options: SeveralUpdatesOptions) {
  const { store, connections, addOfDrafts, waitingByRisk, formats } = options;

  async function workOutOne({ connection, workOut }: SeveralUpdates, cid: number): Promise<WorkedOut> {
    try {
      const read = await connection.member.get(cid);
      const payload = workOut(cid, read);
      const fields = editFailures(payload, read.edit, formats());
      if (fields.length > 0) throw new AppError('validation_failed', { fields });
      const status = statusAlone(read.edit.campaign, payload);
      if (status !== null) return { cid, kind: 'status', status };
      return { cid, kind: 'update', draft: draftUpdate(cid, { read, payload, rebase: null }, formats()) };
    } catch (failure) {
      if (!(failure instanceof AppError) || isAway(failure)) throw failure;
      return { cid, kind: 'refused', failure };
    }
  }

  async function draftStatuses(request: SeveralUpdates, worked: readonly WorkedOut[]): Promise<Drafted> {
    const { connection } = request;
    const drafted: Drafted = { drafts: [], refused: [] };
    const moves = worked
      .filter((one) => one.kind === 'status')
      .filter(({ cid }) => isMeant(request, [cid], drafted.refused));
    for (const [status, moving] of Map.groupBy(moves, (one) => one.status)) {
      const cids = moving.map(({ cid }) => cid);
      const preparation = { client: connection.member, today: connection.today() };
      try {
        drafted.drafts.push(await prepareStatus(preparation, { cids, status }));
      } catch (failure) {
        refuse(drafted.refused, cids, failure);
      }
    }
    return drafted;
  }

  function isMeant(
    { connection, assertStillMeant }: SeveralUpdates,
    targets: readonly number[],
    refused: ProposedUpdates['refused'],
  ): boolean {
    try {
      for (const cid of targets) {
        if (store.proposals.lockOf(connection.profile.id, cid) !== null)
          throw new AppError('campaign_locked');
        assertStillMeant(cid);
      }
      return true;
    } catch (failure) {
      refuse(refused, targets, failure);
      return false;
    }
  }

  function byRisk(proposed: ProposedUpdates['proposed']): ProposedUpdates['proposed'] {
    const places = new Map(waitingByRisk().map(({ id }, place) => [id, place]));
    const placeOf = ({ proposalId }: { proposalId: string }): number => places.get(proposalId) ?? Infinity;
    return proposed.toSorted((one, other) => placeOf(one) - placeOf(other));
  }

  return async function proposeUpdates(request: SeveralUpdates): Promise<ProposedUpdates> {
    const { connection, cids, record } = request;
    const worked = await mapConcurrently(cids, concurrentReads, (cid) => workOutOne(request, cid));
    const { drafts, refused } = await draftStatuses(request, worked);
    for (const one of worked) if (one.kind === 'refused') refuse(refused, [one.cid], one.failure);
    for (const one of worked) if (one.kind === 'update') drafts.push(one.draft);
    if (connections.of(connection.profile.id) !== connection) throw new AppError('profile_changed');
    const meant = drafts.filter(({ targets }) => isMeant(request, targets, refused));
    const proposed = store.transaction(() => {
      const room = Math.max(0, placesForDrafts - store.proposals.countUndecidedBySide().drafts);
      const left = meant.slice(room).flatMap(({ targets }) => targets);
      refuse(refused, left, new AppError('too_many_waiting', { message: full(formats()) }));
      const added = addOfDrafts(meant.slice(0, room), you(viewOf(connection.profile)));
      const made = added.flatMap(targetsOf);
      record(made);
      return made;
    });
    return { proposed: byRisk(proposed), refused };
  };
}

const full = (formats: Formats): Sentence =>
  sentence`${ownWords(formats.count(placesForDrafts))} changes of drafts are waiting already. Decide on some of them first.`;

interface Drafted {
  drafts: PreparedWrite[];
  refused: ProposedUpdates['refused'];
}

/** Throws bugs, and failures that affect every campaign. */
function refuse(refused: ProposedUpdates['refused'], cids: readonly number[], failure: unknown): void {
  if (!(failure instanceof AppError) || isAway(failure)) throw failure;
  const message = [failure.message, ...failure.fields.map(({ message: one }) => one)].join(' ');
  refused.push(...cids.map((cid) => ({ cid, message, fields: failure.fields })));
}

function targetsOf({ id, targets }: StoredProposal): ProposedUpdates['proposed'] {
  return targets.map((cid) => ({ cid, proposalId: id }));
}
