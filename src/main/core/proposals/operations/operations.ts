import type { Connections } from '#core/connections/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { AppStore } from '#core/store/app/index.ts';
import { createBatchOperation } from '../batch/batch.ts';
import type { Journal } from '../lifecycle/journal.ts';
import { createAdmitOperation } from './admission/admit.ts';
import type { ClientOf, Operations } from './operation.ts';
import { createStatusOperation } from './status/status.ts';
import { createToolCallOperation } from './tool-call/tool-call.ts';
import { createUpdateOperation } from './update/update.ts';
import type { Admissions } from './admission/admission.ts';

export interface OperationsOptions {
  store: AppStore;
  connections: Pick<Connections, 'of'>;
  clock: Clock;
  admissions: Admissions;
  /**
   * Reads now if the service offers a tool with the definition that was pinned and reviewed. Fails as the read does.
   */
  isOfferedAsPinned(profileId: string, tool: { name: string; definitionHash: string }): Promise<boolean>;
  journal: Pick<Journal, 'move'>;
}

/** The kinds of write that the gate lets through. */
export function createOperations(options: OperationsOptions): Operations {
  const { store, journal, connections, clock, admissions, isOfferedAsPinned } = options;
  const clientOf: ClientOf = ({ profile }) => connections.of(profile.id).member;
  return {
    'campaign.update': createUpdateOperation(clientOf),
    'campaign.status': createStatusOperation(clientOf, clock.nowMs),
    'tool.call': createToolCallOperation({
      connectionOf: ({ profile }) => connections.of(profile.id),
      nowMs: clock.nowMs,
      answerOf: (id) => store.agentCalls.find(id)?.answer ?? null,
      isOfferedAsPinned,
    }),
    'agent.admit': createAdmitOperation(admissions),
    batch: createBatchOperation({ store, journal }),
  };
}
