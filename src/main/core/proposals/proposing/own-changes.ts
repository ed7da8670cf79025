import type { Connection, Connections } from '#core/connections/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import { viewOf } from '#core/profiles/index.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { serviceDay } from '#shared/campaign/index.ts';
import { createBatchPreparation, type SeveralWrites } from '../batch/prepare.ts';
import type { Proposer } from '../lifecycle/journal.ts';
import type { Draft } from '../operations/operation.ts';
import type { Proposing } from './proposing.ts';
import { prepareStatus, type StatusRequest } from '../operations/status/prepare.ts';
import type { UnfinishedWork } from '../lifecycle/unfinished-work.ts';
import { prepareUpdate, type UpdateRequest } from '../operations/update/prepare.ts';

/** Changes that the app's own pages propose. */
export interface OwnChanges {
  proposeUpdate(request: UpdateRequest): Promise<ProposalView>;
  proposeStatus(request: StatusRequest): Promise<ProposalView>;
  /** One batch of waiting proposals that make an equal change. Fails with `batch_unequal`. */
  proposeTogether(ids: readonly string[]): ProposalView;
  /** Several writes of the app's own as one batch. Fails as each of them would, and with `nothing_to_change`. */
  proposeSeveral(request: SeveralWrites): Promise<ProposalView>;
}

export interface OwnChangesOptions extends Proposing, Pick<UnfinishedWork, 'run' | 'assertTaking'> {
  store: AppStore;
  connections: Pick<Connections, 'of' | 'current'>;
  clock: Clock;
  view(proposal: StoredProposal): ProposalView;
}

export function createOwnChanges(options: OwnChangesOptions): OwnChanges {
  const { connections, clock, propose, view, run, assertTaking } = options;
  const batches = createBatchPreparation({ ...options, you });

  /** Keeps the profile that is active at the click, however long the read takes. */
  async function proposeAsPerson(
    cids: readonly number[],
    prepare: (connection: Connection) => Promise<Draft>,
    { isUrgent = false } = {},
  ): Promise<ProposalView> {
    const connection = connections.current();
    const proposer = you(viewOf(connection.profile));
    return view(await propose({ connection, proposer, cids, prepare, isUrgent }));
  }

  return {
    proposeUpdate: (request) =>
      run(() => proposeAsPerson([request.cid], ({ member }) => prepareUpdate(member, request))),
    proposeStatus: (request) =>
      run(() =>
        proposeAsPerson(
          request.cids,
          ({ member: client, profile }) =>
            prepareStatus({ client, today: serviceDay(clock.nowMs(), profile.zone) }, request),
          request,
        ),
      ),
    proposeTogether(ids) {
      assertTaking();
      return view(batches.together(ids));
    },
    proposeSeveral: (request) => run(async () => view(await batches.several(request))),
  };
}

/** Proposer of every change that the app's own pages propose. */
function you(profile: Proposer['profile']): Proposer {
  return {
    profile,
    proposedBy: { kind: 'person', name: 'You', sinceMs: null, agentId: null },
    quotation: null,
  };
}
