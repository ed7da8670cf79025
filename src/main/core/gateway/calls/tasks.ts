import { type McpTasks, OtherAnswer, type StatelessClient, tasksExtension } from '#core/mcp-server/index.ts';
import type { ToolPins } from '#core/agents/index.ts';
import type { AgentGate } from '#core/proposals/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject, objectAt } from '#shared/lib/json/json-value.ts';
import { isOpen } from '#shared/proposals/states.ts';
import { waitingWords } from '#shared/wording/index.ts';
import { answerTo } from '../answers/answer.ts';
import type { AgentPrincipal } from './call-tool.ts';

/** Time after which a client asks again, in milliseconds. */
const pollIntervalMs = 2_000;

export function takesTasks(client: StatelessClient | null): boolean {
  return client !== null && isJsonObject(objectAt(client.capabilities, 'extensions')[tasksExtension]);
}

/** The answer to a write that waits: its task, whose id is the proposal's (docs/decisions/0063). */
export function taskAnswer(gate: Pick<AgentGate, 'task'>, agentId: string, proposalId: string): OtherAnswer {
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

interface TaskServices {
  gate: AgentGate;
  pins: Pick<ToolPins, 'find'>;
}

/** The waiting and the settled writes of an agent as tasks (MCP, Tasks extension). */
export function createAgentTasks({ gate, pins }: TaskServices): McpTasks<AgentPrincipal> {
  function find({ agentId, profileId }: AgentPrincipal, taskId: string): JsonObject {
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
    const result = answerTo({ view, answer: gate.answerOf(view.id), outputSchema });
    return { ...common, status: 'completed', result: { ...result, resultType: 'complete' } as JsonObject };
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
