import type { Connection, Connections } from '#core/connections/index.ts';
import { concurrentReads, mapConcurrently } from '#core/platform/work-queues.ts';
import { viewOf } from '#core/profiles/index.ts';
import { type CampaignRead, affectsAllReads } from '#core/service-client/index.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { runs, editFailures, statusAlone } from '#shared/campaign/index.ts';
import { statusNames, type StatusCode } from '#shared/contract/index.ts';
import { AppError, type FieldError } from '#shared/errors/index.ts';
import type { Formats } from '#shared/lib/formats.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { ownWords, type Sentence, sentence } from '#shared/lib/sentence.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import { titles } from '#shared/wording/index.ts';
import { commonOperand } from '../operations/batch/common-operand.ts';
import {
  draftBatch,
  prepareSeveral,
  type SeveralWrites,
  type UndoRequest,
} from '../operations/batch/prepare.ts';
import { loadProposal } from '../operations/stored-proposals.ts';
import { type PreparedWrite, you, type Proposer } from '../operations/operation.ts';
import {
  inParts,
  isPast,
  maxPerWrite,
  prepareStatus,
  readRows,
  returnPassed,
  type StatusRequest,
} from '../operations/status-change/prepare.ts';
import { prepareUpdate, draftUpdate } from '../operations/update.ts';
import type { Proposing } from './proposing.ts';

interface UserChangesOptions {
  store: AppStore;
  connections: Pick<Connections, 'of' | 'current'>;
  proposing: Proposing;
  ready(id: string): Promise<StoredProposal>;
  waitingByRisk(): readonly { id: string }[];
  assertTaking(): void;
  serviceNowMs(): number;
  formats(): Formats;
}

export function createUserChanges(options: UserChangesOptions) {
  const { store, connections, proposing, ready, waitingByRisk, assertTaking, serviceNowMs, formats } =
    options;
  const { propose, add, addOfDrafts } = proposing;

  async function proposeBatch(
    request: SeveralWrites,
    connection: Connection,
    asked: Proposer,
  ): Promise<StoredProposal> {
    const { member: client, profile } = connection;
    const preparation = { client, today: connection.today() };
    const { drafts, skipped } = await prepareSeveral(preparation, request, formats());
    if (connections.of(profile.id) !== connection) throw new AppError('profile_changed');
    return store.transaction(() => {
      const members = add(drafts, asked, request);
      const proposer = { ...asked, profile: members[0]?.profile ?? asked.profile };
      return only(add([draftBatch({ ...request, skipped, members })], proposer));
    });
  }

  /** Uses the profile that was active at the click, even if the read takes long. */
  function proposeOnce(request: StatusRequest): Promise<StoredProposal> {
    const connection = connections.current();
    const { cids, isUrgent = false } = request;
    return propose({
      connection,
      proposer: you(viewOf(connection.profile)),
      cids,
      prepare: () => prepareStatus({ client: connection.member, today: connection.today() }, request),
      isUrgent,
    });
  }

  async function proposeInParts(request: StatusRequest): Promise<StoredProposal> {
    const connection = connections.current();
    const { status } = request;
    const rows = await readRows(connection.member, request);
    const parts = inParts(rows).map((part) => ({
      ...request,
      cids: part.map(({ cid }) => cid),
      rows: part,
      // A stopped campaign spends nothing, so its list row is enough.
      countedFrom: runs(status) ? ('campaigns' as const) : ('list' as const),
    }));
    const equally = sentence`Set to ${ownWords(statusNames[status])}`;
    const batch = { equally, updates: [], statuses: parts, skipped: [], asOne: { kind: 'status' as const } };
    return proposeBatch(batch, connection, you(viewOf(connection.profile)));
  }

  return {
    async proposeStatus(request: StatusRequest): Promise<StoredProposal> {
      if (isPast(request.returns, serviceNowMs())) throw returnPassed();
      return request.cids.length > maxPerWrite ? proposeInParts(request) : proposeOnce(request);
    },
    /**
     * Prepares members with an ended approval again. Fails with `batch_unequal`, `proposal_not_found`, or as the preparation
     * does.
     */
    async proposeTogether(asked: readonly string[]): Promise<StoredProposal> {
      const ids: string[] = [];
      for (const id of asked) ids.push((await ready(id)).id);
      assertTaking();
      const { draft, profile } = draftTogether(store, ids, formats());
      return only(add([draft], you(profile)));
    },
    /** Proposes all or none. Fails as each write would, and with `nothing_to_change`. */
    proposeSeveral(request: SeveralWrites): Promise<StoredProposal> {
      const connection = connections.current();
      return proposeBatch(request, connection, you(viewOf(connection.profile)));
    },
    /**
     * Proposes every possible change at once, and returns the others with their reasons.
     * Equal changes of status become one proposal. Fails with `profile_changed`.
     */
    proposeUpdates: createSeveralUpdates({ store, connections, addOfDrafts, waitingByRisk, formats }),
    /** A single write becomes a change of its own; several become a batch. Fails as each of them would. */
    proposeUndo({ connection, schedule, ...request }: UndoRequest): Promise<StoredProposal> {
      const person = you(viewOf(connection.profile));
      const proposer = schedule === undefined ? person : { ...person, proposedBy: scheduleNamed(schedule) };
      const { updates, statuses, undoes } = request;
      const [update] = updates;
      const [status] = statuses;
      if (updates.length + statuses.length > 1) return proposeBatch(request, connection, proposer);
      const { member: client } = connection;
      const today = connection.today();
      const prepare = async (): Promise<PreparedWrite> => {
        if (update !== undefined) return { ...(await prepareUpdate(client, update, formats())), undoes };
        if (status !== undefined) return { ...(await prepareStatus({ client, today }, status)), undoes };
        throw new AppError('nothing_to_change');
      };
      const cids = update === undefined ? (status?.cids ?? []) : [update.cid];
      return propose({ connection, proposer, cids, prepare });
    },
  };
}

function scheduleNamed(name: string): Proposer['proposedBy'] {
  return { kind: 'schedule', name, sinceMs: null, agentId: null };
}

function only([batch]: readonly StoredProposal[]): StoredProposal {
  if (batch === undefined) throw new Error('One draft makes one proposal');
  return batch;
}

function draftTogether(
  store: AppStore,
  ids: readonly string[],
  formats: Formats,
): { draft: PreparedWrite; profile: StoredProposal['profile'] } {
  if (new Set(ids).size !== ids.length) unequal(sentence`One of them is named twice.`);
  const members = ids.map((id) => loadProposal(store, id));
  const [first] = members;
  if (first === undefined || members.length < 2)
    return unequal(sentence`A batch needs two changes at least.`);
  for (const member of members) assertFits(store, member, first);
  const operand = commonOperand(members.map(({ headline }) => headline.comparable));
  if (operand === null) return unequal(sentence`No single change explains all of them.`);
  const equally = titles.operand(operand, formats);
  return { draft: draftBatch({ equally, members, skipped: [] }), profile: first.profile };
}

function assertFits(store: AppStore, member: StoredProposal, first: StoredProposal): void {
  const { id, operation, state, profile, headline } = member;
  const named = headline.title;
  if (!isUndecided(state)) unequal(sentence`${named} is no longer awaiting approval.`);
  if (store.proposals.openBatchOf(id) !== null) unequal(sentence`${named} is in another open batch.`);
  if (operation === 'batch' || headline.comparable === null) unequal(sentence`${named} is decided alone.`);
  const isSameProfile = profile.id === first.profile.id && profile.account === first.profile.account;
  if (!isSameProfile) unequal(sentence`${named} is for another profile.`);
  if (commonOperand([first.headline.comparable, headline.comparable]) === null)
    unequal(sentence`${named} makes another change than the first one.`);
}

function unequal(message: Sentence): never {
  throw new AppError('batch_unequal', { message });
}

/** Maximum of undecided proposals made from drafts. The limit of a person's other proposals is separate. */
export const maxDraftProposals = 1_000;

export interface SeveralUpdates {
  connection: Connection;
  cids: readonly number[];
  /** The complete campaign to send. Fails with the reason why the change is not proposed. */
  buildPayload(cid: number, read: CampaignRead): JsonObject;
  /** Called right before the change is proposed. Fails with the reason why it is not proposed. */
  assertStillRequested(cid: number): void;
  /** Runs in the transaction of the proposals. */
  record(proposed: ProposedUpdates['proposed']): void;
}

export interface ProposedUpdates {
  proposed: { cid: number; proposalId: string }[];
  refused: { cid: number; message: string; fields: FieldError[] }[];
}

interface SeveralUpdatesOptions {
  store: AppStore;
  connections: Pick<Connections, 'of'>;
  /** The caller keeps within {@link maxDraftProposals}. */
  addOfDrafts(drafts: readonly PreparedWrite[], proposer: Proposer): StoredProposal[];
  waitingByRisk(): readonly { id: string }[];
  formats(): Formats;
}

type WorkedOut = { cid: number } & (
  | { kind: 'update'; draft: PreparedWrite }
  | { kind: 'status'; status: StatusCode }
  | { kind: 'refused'; failure: AppError }
);

function createSeveralUpdates(options: SeveralUpdatesOptions) {
  const { store, connections, addOfDrafts, waitingByRisk, formats } = options;

  async function workOutOne({ connection, buildPayload }: SeveralUpdates, cid: number): Promise<WorkedOut> {
    try {
      const read = await connection.member.get(cid);
      const payload = buildPayload(cid, read);
      const fields = editFailures(payload, read.edit, formats());
      if (fields.length > 0) throw new AppError('validation_failed', { fields });
      const status = statusAlone(read.edit.campaign, payload);
      if (status !== null) return { cid, kind: 'status', status };
      return { cid, kind: 'update', draft: draftUpdate(cid, { read, payload, rebase: null }, formats()) };
    } catch (failure) {
      if (!(failure instanceof AppError) || affectsAllReads(failure)) throw failure;
      return { cid, kind: 'refused', failure };
    }
  }

  async function draftStatuses(request: SeveralUpdates, worked: readonly WorkedOut[]): Promise<Drafted> {
    const { connection } = request;
    const drafted: Drafted = { drafts: [], refused: [] };
    const moves = worked
      .filter((one) => one.kind === 'status')
      .filter(({ cid }) => isRequested(request, [cid], drafted.refused));
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

  function isRequested(
    { connection, assertStillRequested }: SeveralUpdates,
    targets: readonly number[],
    refused: ProposedUpdates['refused'],
  ): boolean {
    try {
      if (store.proposals.locksOf(connection.profile.id, targets).size > 0)
        throw new AppError('campaign_locked');
      for (const cid of targets) assertStillRequested(cid);
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
    const requested = drafts.filter(({ targets }) => isRequested(request, targets, refused));
    const proposed = store.transaction(() => {
      const room = Math.max(0, maxDraftProposals - store.proposals.countUndecidedBySide().drafts);
      const left = requested.slice(room).flatMap(({ targets }) => targets);
      refuse(refused, left, new AppError('too_many_waiting', { message: tooManyDrafts(formats()) }));
      const added = addOfDrafts(requested.slice(0, room), you(viewOf(connection.profile)));
      const made = added.flatMap(targetsOf);
      record(made);
      return made;
    });
    return { proposed: byRisk(proposed), refused };
  };
}

const tooManyDrafts = (formats: Formats): Sentence =>
  sentence`${ownWords(formats.count(maxDraftProposals))} changes of drafts are waiting already. Decide on some of them first.`;

interface Drafted {
  drafts: PreparedWrite[];
  refused: ProposedUpdates['refused'];
}

function refuse(refused: ProposedUpdates['refused'], cids: readonly number[], failure: unknown): void {
  if (!(failure instanceof AppError) || affectsAllReads(failure)) throw failure;
  const message = [failure.message, ...failure.fields.map(({ message: one }) => one)].join(' ');
  refused.push(...cids.map((cid) => ({ cid, message, fields: failure.fields })));
}

function targetsOf({ id, targets }: StoredProposal): ProposedUpdates['proposed'] {
  return targets.map((cid) => ({ cid, proposalId: id }));
}
