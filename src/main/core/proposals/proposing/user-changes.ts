import type { Connection, Connections } from '#core/connections/index.ts';
import { viewOf } from '#core/profiles/index.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { runs } from '#shared/campaign/index.ts';
import { statusNames } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { ownWords, type Sentence, sentence } from '#shared/lib/sentence.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import { commonOperand } from '../operations/batch/common-operand.ts';
import { titles } from '#shared/wording/index.ts';
import {
  draftBatch,
  prepareSeveral,
  type SeveralWrites,
  type UndoRequest,
} from '../operations/batch/prepare.ts';
import { loadProposal } from '../operations/load-proposal.ts';
import { type PreparedWrite, you } from '../operations/operation.ts';
import {
  inParts,
  maxPerWrite,
  prepareStatus,
  readRows,
  type StatusRequest,
} from '../operations/status-change/prepare.ts';
import { prepareUpdate } from '../operations/update/write.ts';
import { createSeveralUpdates, type ProposedUpdates, type SeveralUpdates } from './bulk-updates.ts';
import type { Proposing } from './proposing.ts';

export interface UserChanges {
  proposeStatus(request: StatusRequest): Promise<StoredProposal>;
  /** Prepares members again whose approval has ended. Fails with `batch_unequal`, `proposal_not_found`, or as their preparation does. */
  proposeTogether(ids: readonly string[]): Promise<StoredProposal>;
  /** All or none. Fails as each write would, and with `nothing_to_change`. */
  proposeSeveral(request: SeveralWrites): Promise<StoredProposal>;
  /**
   * Proposes every possible change at once and names the others with the reason. Equal changes of status are one proposal. Fails with
   * `profile_changed`.
   */
  proposeUpdates(request: SeveralUpdates): Promise<ProposedUpdates>;
  /** One write is a change of its own, several are a batch. Fails as each of them would. */
  proposeUndo(request: UndoRequest): Promise<StoredProposal>;
}

export interface UserChangesOptions {
  store: AppStore;
  connections: Pick<Connections, 'of' | 'current'>;
  proposing: Proposing;
  ready(id: string): Promise<StoredProposal>;
  waitingByRisk(): readonly { id: string }[];
  assertTaking(): void;
  formats(): Formats;
}

export function createUserChanges(options: UserChangesOptions): UserChanges {
  const { store, connections, proposing, ready, waitingByRisk, assertTaking, formats } = options;
  const { propose, add, addOfDrafts } = proposing;

  async function proposeBatch(request: SeveralWrites, connection: Connection): Promise<StoredProposal> {
    const { member: client, profile } = connection;
    const preparation = { client, today: connection.today() };
    const { drafts, skipped } = await prepareSeveral(preparation, request, formats());
    if (connections.of(profile.id) !== connection) throw new AppError('profile_changed');
    return store.transaction(() => {
      const members = add(drafts, you(viewOf(profile)), request);
      const proposer = you(members[0]?.profile ?? viewOf(profile));
      return only(add([draftBatch({ ...request, skipped, members })], proposer));
    });
  }

  /** Keeps the profile that is active at the click, however long the read takes. */
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
      // A stopped campaign spends nothing, so its row is enough.
      countedFrom: runs(status) ? ('campaigns' as const) : ('list' as const),
    }));
    const equally = sentence`Set to ${ownWords(statusNames[status])}`;
    const batch = { equally, updates: [], statuses: parts, skipped: [], asOne: { kind: 'status' as const } };
    return proposeBatch(batch, connection);
  }

  return {
    proposeStatus: (request) =>
      request.cids.length > maxPerWrite ? proposeInParts(request) : proposeOnce(request),
    async proposeTogether(asked) {
      const ids: string[] = [];
      for (const id of asked) ids.push((await ready(id)).id);
      assertTaking();
      const { draft, profile } = draftTogether(store, ids, formats());
      return only(add([draft], you(profile)));
    },
    proposeSeveral: (request) => proposeBatch(request, connections.current()),
    proposeUpdates: createSeveralUpdates({ store, connections, addOfDrafts, waitingByRisk, formats }),
    proposeUndo({ connection, ...request }) {
      const { updates, statuses, undoes } = request;
      const [update] = updates;
      const [status] = statuses;
      if (updates.length + statuses.length > 1) return proposeBatch(request, connection);
      const { member: client } = connection;
      const today = connection.today();
      const prepare = async (): Promise<PreparedWrite> => {
        if (update !== undefined) return { ...(await prepareUpdate(client, update, formats())), undoes };
        if (status !== undefined) return { ...(await prepareStatus({ client, today }, status)), undoes };
        throw new AppError('nothing_to_change');
      };
      const cids = update === undefined ? (status?.cids ?? []) : [update.cid];
      return propose({ connection, proposer: you(viewOf(connection.profile)), cids, prepare });
    },
  };
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
