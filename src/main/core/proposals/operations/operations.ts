import type { Connections } from '#core/connections/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { createBatchOperation } from '../batch/index.ts';
import type { Journal } from '../lifecycle/journal.ts';
import { type Admissions, createAdmitOperation } from './admission/index.ts';
import { unknownMoney } from './money-pair.ts';
import type { ClientOf, Operations, ProposalWords } from './operation.ts';
import { createStatusOperation } from './status/index.ts';
import { createToolCallOperation } from './tool-call/index.ts';
import { createUpdateOperation } from './update/index.ts';

export interface OperationsOptions {
  store: AppStore;
  connections: Pick<Connections, 'of'>;
  clock: Clock;
  admissions: Admissions;
  /** Whether the service offers a tool, read now, with the definition that was pinned and looked at. Fails as the read does. */
  isOfferedAsPinned(profileId: string, tool: { name: string; definitionHash: string }): Promise<boolean>;
  move: Journal['move'];
  /** Settles one proposal now, as far as a read can. */
  settle(id: string): Promise<StoredProposal>;
}

/** The kinds of write that the gate lets through. */
export function createOperations(options: OperationsOptions): Operations {
  const { store, connections, clock, admissions, isOfferedAsPinned, move, settle } = options;
  const clientOf: ClientOf = ({ profile }) => connections.of(profile.id).member;
  const operations: Operations = {
    'campaign.update': createUpdateOperation(clientOf),
    'campaign.status': createStatusOperation(clientOf, clock.nowMs),
    'tool.call': createToolCallOperation({
      connectionOf: ({ profile }) => connections.of(profile.id),
      nowMs: clock.nowMs,
      answerOf: (id) => store.agentCalls.find(id)?.answer ?? null,
      isOfferedAsPinned,
    }),
    'agent.admit': createAdmitOperation(admissions),
    batch: createBatchOperation({
      store,
      journal: { move },
      wordsOf: (member) => wordsOf(operations, member),
      settleMember: settle,
    }),
  };
  return operations;
}

/** The words of a proposal; of one whose details were removed, those that its list entry keeps. */
export function wordsOf(operations: Operations, proposal: StoredProposal): ProposalWords {
  return proposal.prunedAtMs === null ? operations[proposal.operation].words(proposal) : keptWords(proposal);
}

/** No word is guessed: what was removed is missing, and the page says so. */
function keptWords({ headline }: StoredProposal): ProposalWords {
  const { title, perDay } = headline;
  return {
    title,
    targets: [],
    risk: { perDay, untilEnd: unknownMoney, bidFactor: null, notes: [] },
    warnings: [],
    typeToConfirm: null,
    changes: [],
    unchanged: [],
    detail: { kind: 'campaigns' },
    group: null,
    effects: { certainty: 'unknown', changes: [] },
  };
}
