import type { Connections } from '#core/connections/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { createBatchOperation } from './batch/prepare.ts';
import { type Admissions, createAdmitOperation } from './agent-admission.ts';
import { createReadsBefore } from './campaigns-before.ts';
import type { ClientOf, Operations, ConnectionOf } from './operation.ts';
import type { Outcome } from './outcome.ts';
import { createStatusOperation } from './status-change/send.ts';
import { createToolCallOperation } from './tool-call/send.ts';
import { createUpdateOperation } from './update/send.ts';
import type { Formats } from '#shared/lib/formats.ts';

export interface OperationsOptions {
  store: AppStore;
  connections: Pick<Connections, 'of'>;
  clock: Clock;
  admissions: Admissions;
  /**
   * Reads now if the service offers a tool with the definition that was pinned and reviewed. Fails as the read does.
   */
  isOfferedAsPinned(profileId: string, tool: { name: string; definitionHash: string }): Promise<boolean>;
  /** Records the end of a batch whose members have all settled, and returns it as it is recorded. */
  endBatch(batch: StoredProposal, outcome: Outcome): StoredProposal;
  /** How numbers and moments are written at this time. */
  formats(): Formats;
}

/** The kinds of write that the gate lets through. */
export function createOperations(options: OperationsOptions): Operations {
  const { store, endBatch, connections, clock, admissions, isOfferedAsPinned, formats } = options;
  const connectionOf: ConnectionOf = ({ profile }) => connections.of(profile.id);
  const clientOf: ClientOf = (proposal) => connectionOf(proposal).member;
  const readsBefore = createReadsBefore({ store, clock });
  return {
    'campaign.update': createUpdateOperation(clientOf, formats),
    'campaign.status': createStatusOperation({ store, connectionOf, readsBefore, formats }),
    'tool.call': createToolCallOperation({
      connectionOf,
      readsBefore,
      answerOf: (id) => store.agentCalls.find(id)?.answer ?? null,
      isOfferedAsPinned,
      formats,
    }),
    'agent.admit': createAdmitOperation(admissions),
    batch: createBatchOperation({ store, endBatch }),
  };
}
