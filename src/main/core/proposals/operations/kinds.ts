import type { Connection, Connections } from '#core/connections/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import { ExactJson } from '#core/service-client/index.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { batchOutcome, isUnsettled, listedMembers, readBatch } from './batch/payload.ts';
import { type Admissions, readAdmission } from './agent-admission/prepare.ts';
import { createReadsBefore } from './campaigns-before.ts';
import type { ClientOf, Operation, Operations } from './operation.ts';
import { otherWriteTo } from './locks.ts';
import type { Outcome } from './outcome.ts';
import { readBackStatus, sentPayload } from './status-change/read-back.ts';
import { rereadRunning, rereadStatus, type StatusComparison } from './status-change/read-before-sending.ts';
import { isMeantForRunning } from './status-change/stored-parts.ts';
import { toolCallParts } from './tool-call/stored-parts.ts';
import type { ToolCallBase } from './tool-call/stored-call.ts';
import { answerIn, assertAccepted, readBackToolCall } from './tool-call/read-back.ts';
import { rereadToolCall } from './tool-call/read-before-sending.ts';
import { cidOf } from './update/stored-parts.ts';
import { readBackUpdate } from './update/read-back.ts';
import { rereadUpdate } from './update/read-before-sending.ts';
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
  endBatch: BatchOptions['endBatch'];
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

/** The full update of one campaign (contract §4.1, PUT /login/campaigns/{cid}). */
export function createUpdateOperation(clientOf: ClientOf, formats: () => Formats): Operation {
  return {
    reread: (proposal) => rereadUpdate(clientOf(proposal), proposal, formats()),
    async send(proposal) {
      await clientOf(proposal).update(cidOf(proposal), proposal.payload);
      return null;
    },
    readBack: (proposal) => readBackUpdate(clientOf(proposal), proposal, formats()),
  };
}

/** The change of status of one or many campaigns (contract §4.1, PUT /login/campaigns/update-status). */
function createStatusOperation({
  store,
  connectionOf,
  readsBefore,
  formats,
}: Pick<ToolCallOptions, 'connectionOf' | 'readsBefore' | 'formats'> & { store: AppStore }): Operation {
  const clientOf: ClientOf = (proposal) => connectionOf(proposal).member;
  const comparison = (proposal: StoredProposal): StatusComparison => {
    const connection = connectionOf(proposal);
    const { member: client } = connection;
    return { client, today: connection.today(), before: readsBefore(proposal, client) };
  };
  return {
    async reread(proposal) {
      if (!isMeantForRunning(proposal)) return rereadStatus(comparison(proposal), proposal, formats());
      const lockOn = (cid: number): string | null => otherWriteTo(store, proposal, cid);
      return rereadRunning({ ...comparison(proposal), lockOn }, proposal);
    },
    async send(proposal) {
      await clientOf(proposal).updateStatus(sentPayload(proposal));
      return null;
    },
    readBack: (proposal) => readBackStatus(clientOf(proposal), proposal),
  };
}

type ConnectionOf = (proposal: Pick<StoredProposal, 'profile'>) => Connection;

export interface ToolCallOptions {
  connectionOf: ConnectionOf;
  readsBefore: ReturnType<typeof createReadsBefore>;
  /** The answer that is kept with the call, as JSON text; null while there is none. */
  answerOf(proposalId: string): string | null;
  /** Reads the service's tools again: whether this one is offered as it is pinned. Fails as the read does. */
  isOfferedAsPinned(profileId: string, tool: ToolCallBase['tool']): Promise<boolean>;
  /** How numbers and moments are written at this time. */
  formats(): Formats;
}

/** A call of one of the service's tools (contract §4.3, tools/call). */
function createToolCallOperation(options: ToolCallOptions): Operation {
  const { connectionOf, readsBefore, answerOf, isOfferedAsPinned, formats } = options;
  return {
    async reread(proposal) {
      const connection = connectionOf(proposal);
      const { campaigns: client } = connection;
      const before = readsBefore(proposal, client);
      const found = await rereadToolCall({ client, today: connection.today(), before }, proposal, formats());
      if (found.kind !== 'unchanged') return found;
      // Read last, and never by what was announced: a definition may change while a person reads, without a word.
      const { tool } = toolCallParts(proposal);
      const isSame = await isOfferedAsPinned(proposal.profile.id, tool);
      return isSame ? found : { kind: 'impossible', failure: new AppError('tool_held') };
    },
    async send(proposal) {
      const { name, args } = toolCallParts(proposal);
      const result = await connectionOf(proposal).remote.callTool(name, new ExactJson(canonicalJson(args)));
      assertAccepted(result);
      return JSON.stringify(result);
    },
    readBack(proposal) {
      const { campaigns: reader, remote } = connectionOf(proposal);
      const text = answerOf(proposal.id);
      const answer = text === null ? null : answerIn(text);
      return readBackToolCall({ reader, remote, answer }, proposal, formats());
    },
  };
}

/** Lets an agent in: written in the app itself, so there is nothing that could move before, and the read-back is certain. */
function createAdmitOperation(admissions: Admissions): Operation {
  return {
    reread: async () => ({ kind: 'unchanged' }),
    async send(proposal: StoredProposal) {
      admissions.admit(readAdmission(proposal), proposal.profile.id);
      return null;
    },
    async readBack(proposal) {
      const isAdmitted = admissions.isAdmitted(readAdmission(proposal).agentId);
      return { isAsSent: isAdmitted, evidence: isAdmitted ? 'payload' : 'base', verdicts: [] };
    },
  };
}

interface BatchOptions {
  store: AppStore;
  /** Records the end of a batch whose members have all settled, and returns it as it is recorded. */
  endBatch(batch: StoredProposal, outcome: Outcome): StoredProposal;
}

/** Several proposals under one decision, each with its own result. It sends nothing itself: see `createBatchDelivery`. */
function createBatchOperation({ store, endBatch }: BatchOptions): Operation {
  return {
    reread: itself,
    send: itself,
    readBack: itself,
    async settle(batch, settleMember) {
      const { members } = readBatch(batch);
      for (const { id } of listedMembers(store, members).filter(isUnsettled)) await settleMember(id);
      const now = listedMembers(store, members);
      if (now.some(isUnsettled)) return batch;
      return endBatch(batch, batchOutcome(now));
    },
  };
}

function itself(): never {
  throw new Error('A batch is sent member by member');
}
