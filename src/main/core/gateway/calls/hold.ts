import type { ToolPins } from '#core/agents/index.ts';
import {
  type CallContext,
  declaresTasks,
  type McpTasks,
  OtherAnswer,
  type Principal,
  type ToolResult,
} from '#core/mcp-server/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { AgentGate, ProposalStatus, ToolCallRequest } from '#core/proposals/index.ts';
import { isOpen } from '#shared/proposals/states.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { waitingWords } from '#shared/wording/index.ts';
import { answerTo } from '../answers/answer.ts';
import type { WaitForOutcome } from './own-tools.ts';

interface HeldCall {
  context: CallContext;
  outputSchema: JsonValue | undefined;
}

/** Keeps agents' writes waiting for a person (docs/agents.md). */
export interface Hold {
  /**
   * Proposes the call and waits until the proposal has settled, or returns a receipt at the time limit.
   * A client with the Tasks extension gets a task at once. If the call fails or is cancelled, its
   * proposal is withdrawn. If the session ends, the call is still answered. Fails as the gate does.
   */
  call(request: ToolCallRequest, held: HeldCall): Promise<ToolResult>;
  wait: WaitForOutcome;
}

/** How long to wait for the withdrawn proposal after the session has ended. Must be shorter than the session's own wait. */
const lastWaitMs = 1_500;

export function createHold({ gate, clock }: { gate: AgentGate; clock: Clock }): Hold {
  async function settled(
    view: ProposalStatus,
    { context, limitMs }: { context: CallContext; limitMs: number },
  ): Promise<ProposalStatus> {
    if (!isOpen(view.state) || limitMs <= 0) return view;
    const limit = new AbortController();
    const cancelLimit = clock.after(limitMs, () => limit.abort());
    const endProgress = reportProgress(context, clock);
    try {
      return await gate.untilSettled(view.id, AbortSignal.any([context.signal, limit.signal]));
    } finally {
      cancelLimit();
      endProgress();
    }
  }

  async function answerOf(
    proposed: ProposalStatus,
    { context, outputSchema }: HeldCall,
  ): Promise<ToolResult> {
    let view = await settled(proposed, { context, limitMs: limitOf(context) });
    if (context.signal.aborted) gate.abandon(proposed.id);
    // "Nothing was sent" is true only when the withdrawal is recorded, and then the proposal has settled.
    if (isOpen(view.state) && context.isEnding)
      view = await gate.untilSettled(view.id, AbortSignal.timeout(lastWaitMs));
    if (isOpen(view.state) && !context.signal.aborted) gate.giveReceipt(view.id);
    return answerOn(gate, view, { outputSchema, isAwaited: false });
  }

  return {
    async call(request, held) {
      const proposed = await gate.propose(request);
      try {
        if (isOpen(proposed.state) && takesTasks(held.context) && !held.context.signal.aborted) {
          gate.giveReceipt(proposed.id);
          return taskAnswer(gate, request.agent.id, proposed.id);
        }
        return await answerOf(proposed, held);
      } catch (failure) {
        // An agent that gets a failure, for example because the
        // disk refuses the receipt, does not wait for the decision.
        gate.abandon(proposed.id);
        throw failure;
      }
    },
    async wait(agentId, { context, proposalId, waitMs }) {
      const found = gate.find(agentId, proposalId);
      const limitMs = Math.min(waitMs ?? Infinity, limitOf(context));
      const view = await settled(found, { context, limitMs });
      return answerOn(gate, view, { outputSchema: undefined, isAwaited: true });
    },
  };
}

function answerOn(
  gate: AgentGate,
  view: ProposalStatus,
  to: { outputSchema: JsonValue | undefined; isAwaited: boolean },
): ToolResult {
  const answered = { ...view, ledgerRow: gate.ledgerRowOf(view.id) };
  return answerTo({ view: answered, answer: gate.answerOf(view.id), ...to });
}

/**
 * How long a call waits for a decision. Without progress this is less than a minute, because clients may abandon a silent
 * call.
 */
const waitsMs = { silent: 45_000, withProgress: 240_000 } as const;

const progressEveryMs = 10_000;

function limitOf({ wantsProgress }: CallContext): number {
  return wantsProgress ? waitsMs.withProgress : waitsMs.silent;
}

function reportProgress(context: CallContext, clock: Clock): () => void {
  if (!context.wantsProgress) return () => {};
  const startedAtMs = clock.monotonicMs();
  let cancel = clock.after(progressEveryMs, report);
  function report(): void {
    const seconds = Math.round((clock.monotonicMs() - startedAtMs) / 1000);
    void context.progress(seconds, undefined, `Waiting for a person. ${seconds} s`);
    cancel = clock.after(progressEveryMs, report);
  }
  return () => cancel();
}

function takesTasks({ client }: CallContext): boolean {
  return client !== null && declaresTasks(client.capabilities);
}

const pollIntervalMs = 2_000;

/** The answer to a write that waits: a task with the id of the proposal (docs/decisions/0063). */
function taskAnswer(gate: Pick<AgentGate, 'task'>, agentId: string, proposalId: string): OtherAnswer {
  return new OtherAnswer({ resultType: 'task', ...taskIn(gate.task(agentId, proposalId), proposalId) });
}

type AgentTask = ReturnType<AgentGate['task']>;

function taskIn({ view, createdAtMs, updatedAtMs }: AgentTask, taskId: string): JsonObject {
  return {
    taskId,
    status: 'working',
    statusMessage: waitingWords(view).message,
    createdAt: new Date(createdAtMs).toISOString(),
    lastUpdatedAt: new Date(updatedAtMs).toISOString(),
    ttlMs: null,
    pollIntervalMs,
  };
}

interface TaskOwner extends Principal {
  agentId: string;
  profileId: string;
}

interface TaskServices {
  gate: AgentGate;
  pins: Pick<ToolPins, 'find'>;
}

/** An agent's waiting and settled writes as tasks (MCP, Tasks extension). */
export function createAgentTasks({ gate, pins }: TaskServices): McpTasks<TaskOwner> {
  function find({ agentId, profileId }: TaskOwner, taskId: string): JsonObject {
    const task = known(() => gate.task(agentId, taskId));
    const { view, tool } = task;
    const working = taskIn(task, taskId);
    if (isOpen(view.state)) return working;
    const { statusMessage: _waiting, ...common } = working;
    if (view.state === 'withdrawn' && view.outcome?.code === 'proposal_withdrawn') {
      return { ...common, status: 'cancelled' };
    }
    const pinned = tool === null ? null : pins.find(profileId, tool);
    const outputSchema = pinned?.definition['outputSchema'];
    const result = answerOn(gate, view, { outputSchema, isAwaited: false });
    return { ...common, status: 'completed', result: { ...result, resultType: 'complete' } };
  }

  return {
    find,
    cancel: ({ agentId }, taskId) => known(() => gate.withdraw(agentId, taskId)),
    async ended(principal, taskId, signal) {
      find(principal, taskId);
      await gate.untilSettled(taskId, signal);
      return find(principal, taskId);
    },
  };
}

function known<T>(find: () => T): T {
  try {
    return find();
  } catch (failure) {
    if (!(failure instanceof AppError) || failure.code !== 'proposal_not_found') throw failure;
    throw new AppError('object_not_found', { message: 'There is no task of this id.' });
  }
}
