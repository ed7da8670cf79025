import type { Connection, Connections } from '#core/connections/index.ts';
import { viewOf } from '#core/profiles/index.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { runs } from '#shared/campaign/index.ts';
import { statusNames } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { createBatchPreparation } from './batch-preparation.ts';
import type { SeveralWrites } from '../operations/batch/prepare.ts';
import type { PreparedWrite } from '../operations/operation.ts';
import { type Proposing, you } from './proposing.ts';
import {
  inParts,
  maxPerWrite,
  prepareStatus,
  readRows,
  type StatusRequest,
} from '../operations/status-change/prepare.ts';
import type { UnfinishedWork } from '../lifecycle/lifecycle.ts';
import type { PreparingAgain } from './propose-again.ts';
import { createSeveralUpdates, type ProposedUpdates, type SeveralUpdates } from './bulk-updates.ts';
import { prepareUpdate } from '../operations/update/prepare.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

/** Changes that the app's own pages propose. */
export interface UserChanges {
  proposeStatus(request: StatusRequest): Promise<ProposalView>;
  /**
   * One batch of waiting proposals that make an equal change; those whose approval by the service has ended are prepared again first.
   * Fails with `batch_unequal`, or as their preparation does.
   */
  proposeTogether(ids: readonly string[]): Promise<ProposalView>;
  /** Several writes of the app's own as one batch. Fails as each of them would, and with `nothing_to_change`. */
  proposeSeveral(request: SeveralWrites): Promise<ProposalView>;
  /**
   * A change of each of these campaigns, worked out on a read of now: every one that can be made is proposed, all of them at once, and
   * the others are named with the reason. Those that change to the same status, and nothing else, are one proposal. Fails with
   * `profile_changed`.
   */
  proposeUpdates(request: SeveralUpdates): Promise<ProposedUpdates>;
}

/** Changes that take the effect of another one back. */
export interface UndoChanges {
  /**
   * Writes that take the effect of another proposal back, on the connection of its profile: one write as a change of its own, more as
   * a batch. Fails as each of them would.
   */
  proposeUndo(request: UndoRequest): Promise<StoredProposal>;
}

export interface UndoRequest extends SeveralWrites {
  undoes: NonNullable<StoredProposal['undoes']>;
  connection: Connection;
}

export interface UserChangesOptions {
  store: AppStore;
  connections: Pick<Connections, 'of' | 'current'>;
  proposing: Proposing;
  /** Resolves with what can be decided in the place of a proposal, as `PreparingAgain.ready` does. */
  ready: PreparingAgain['ready'];
  /** Everything that waits, in the order in which it is reviewed. */
  waitingByRisk(): readonly { id: string }[];
  run: UnfinishedWork['run'];
  assertTaking(): void;
  view(proposal: StoredProposal): ProposalView;
  /** How numbers and moments are written at this time. */
  formats(): Formats;
}

export function createUserChanges(options: UserChangesOptions): UserChanges & UndoChanges {
  const { store, connections, proposing, view, run, formats } = options;
  const { propose, add } = proposing;
  const batches = createBatchPreparation({ store, connections, add, formats });
  const { waitingByRisk } = options;
  const proposeUpdates = createSeveralUpdates({ store, connections, proposing, waitingByRisk, formats });

  /** Keeps the profile that is active at the click, however long the read takes. */
  async function proposeAsPerson(
    cids: readonly number[],
    prepare: (connection: Connection) => Promise<PreparedWrite>,
    { isUrgent = false } = {},
  ): Promise<ProposalView> {
    const connection = connections.current();
    const proposer = you(viewOf(connection.profile));
    return view(await propose({ connection, proposer, cids, prepare, isUrgent }));
  }

  function proposeUndo({ connection, ...request }: UndoRequest): Promise<StoredProposal> {
    const { updates, statuses, undoes } = request;
    const [update] = updates;
    const [status] = statuses;
    if (updates.length + statuses.length > 1) return batches.several(request, connection);
    const proposer = you(viewOf(connection.profile));
    const preparation = { client: connection.member, today: connection.today() };
    const prepare = async ({ member: client }: Connection): Promise<PreparedWrite> => {
      if (update !== undefined) return { ...(await prepareUpdate(client, update, formats())), undoes };
      if (status !== undefined) return { ...(await prepareStatus(preparation, status)), undoes };
      throw new AppError('nothing_to_change');
    };
    const cids = update === undefined ? (status?.cids ?? []) : [update.cid];
    return propose({ connection, proposer, cids, prepare });
  }

  /** More campaigns than one write takes are several writes under one decision. */
  async function proposeInParts(request: StatusRequest): Promise<ProposalView> {
    const connection = connections.current();
    const { status } = request;
    const rows = await readRows(connection.member, request);
    const parts = inParts(rows).map((part) => ({
      ...request,
      cids: part.map(({ cid }) => cid),
      rows: part,
      // A stopped campaign spends nothing, so its list row is enough. Only starts need every campaign in full.
      countedFrom: runs(status) ? ('campaigns' as const) : ('list' as const),
    }));
    const equally = sentence`Set to ${ownWords(statusNames[status])}`;
    const batch = { equally, updates: [], statuses: parts, skipped: [], asOne: { kind: 'status' as const } };
    return view(await batches.several(batch, connection));
  }

  return {
    proposeStatus: (request) =>
      run(() =>
        request.cids.length > maxPerWrite
          ? proposeInParts(request)
          : proposeAsPerson(
              request.cids,
              (connection) =>
                prepareStatus({ client: connection.member, today: connection.today() }, request),
              request,
            ),
      ),
    proposeTogether: (ids) =>
      run(async () => {
        const ready: string[] = [];
        // One after the other: each of them is asked of the same service.
        for (const id of ids) ready.push((await options.ready(id)).id);
        options.assertTaking();
        return view(batches.together(ready));
      }),
    proposeUndo,
    proposeUpdates: (request) => run(() => proposeUpdates(request)),
    proposeSeveral: (request) => run(async () => view(await batches.several(request, connections.current()))),
  };
}
