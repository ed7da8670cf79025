import type { Connections } from '#core/connections/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import { createKeyedQueue } from '#core/platform/work-queues.ts';
import { viewOf } from '#core/profiles/index.ts';
import type { AgentCall, AppStore, StoredProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { sha256 } from '../operations/fingerprint.ts';
import { loadProposal } from '../operations/load-proposal.ts';
import type { Proposer } from '../operations/operation.ts';
import { cidsIn, keyIn } from '../operations/tool-call/call-arguments.ts';
import {
  assertExact,
  assertReadable,
  prepareToolCall,
  sentArguments,
  type CallingAgent,
  type ToolCallRequest,
} from '../operations/tool-call/prepare/prepare.ts';
import { rememberedMs } from '../operations/tool-call/prepare/volatile-fields.ts';
import type { Proposing } from '../proposing/proposing.ts';
import type { Formats } from '#shared/lib/formats.ts';

interface CallProposalsOptions {
  store: AppStore;
  connections: Pick<Connections, 'of'>;
  propose: Proposing['propose'];
  clock: Clock;
  /** How numbers and moments are written at this time. */
  formats(): Formats;
}

/**
 * Makes a proposal of a call, or finds the one that a call with the same key made. `attend` hears of it in the turn of that key.
 * The returned function fails with `idempotency_conflict`, or as the preparation and the proposing do.
 */
export function createCallProposals(
  { store, connections, propose, clock, formats }: CallProposalsOptions,
  attend: (proposal: StoredProposal) => void,
): (request: ToolCallRequest) => Promise<StoredProposal> {
  const { agentCalls } = store;
  const inTurnOfKey = createKeyedQueue();

  /** The proposal that this agent's key belongs to; null where it is new. Fails with `idempotency_conflict`. */
  function joined(
    agentId: string,
    call: Pick<AgentCall, 'idempotencyKey' | 'requestHash' | 'sessionId'>,
  ): StoredProposal | null {
    const earlier = call.idempotencyKey === null ? null : agentCalls.byKey(agentId, call.idempotencyKey);
    if (earlier === null) return null;
    if (earlier.requestHash !== call.requestHash) throw new AppError('idempotency_conflict');
    if (earlier.sessionId !== call.sessionId) agentCalls.moveTo(earlier.proposalId, call.sessionId);
    return loadProposal(store, earlier.proposalId);
  }

  function proposeNew(
    request: ToolCallRequest,
    args: JsonObject,
    call: Pick<AgentCall, 'idempotencyKey' | 'requestHash' | 'sessionId'>,
  ): Promise<StoredProposal> {
    const { agent, quotation } = request;
    const connection = connections.of(agent.profileId);
    const { campaigns: client, profile } = connection;
    return propose({
      connection,
      proposer: { profile: viewOf(profile), proposedBy: proposerOf(agent), quotation },
      cids: cidsIn(args),
      prepare: () => {
        const nowMs = clock.nowMs();
        const preparation = { client, today: connection.today() };
        const comparisonsOf = (cid: number) =>
          store.proposals.comparisonsOf({ profileId: profile.id, cid, afterMs: nowMs - rememberedMs });
        return prepareToolCall(preparation, { request, args, nowMs, comparisonsOf }, formats());
      },
      record: ({ id: proposalId }) =>
        agentCalls.insert({ ...call, proposalId, agentId: agent.id, receiptAtMs: null, answer: null }),
    });
  }

  return async function proposeCall(request: ToolCallRequest): Promise<StoredProposal> {
    const { agent, sessionId, tool } = request;
    assertReadable(request.args);
    assertExact(request.args);
    const args = sentArguments(request);
    const call = { idempotencyKey: keyIn(args), requestHash: requestHashOf(tool.name, args), sessionId };
    const make = async (): Promise<StoredProposal> => {
      const proposal = joined(agent.id, call) ?? (await proposeNew(request, args, call));
      attend(proposal);
      return proposal;
    };
    return call.idempotencyKey === null ? make() : inTurnOfKey(`${agent.id} ${call.idempotencyKey}`, make);
  };
}

/** Distinguishes calls under the same idempotency key: SHA-256 over RFC 8785. */
function requestHashOf(name: string, args: JsonObject): string {
  return sha256(canonicalJson({ name, arguments: args }));
}

function proposerOf({ id, name, sinceMs }: CallingAgent): Proposer['proposedBy'] {
  return { kind: 'agent', name, sinceMs, agentId: id };
}
