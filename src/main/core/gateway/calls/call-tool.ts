import type { FailedWrite, Freeze, PinnedTool, RefusedAttempts, ToolPins } from '#core/agents/index.ts';
import type { Connections } from '#core/connections/index.ts';
import type { CallContext, ToolResult } from '#core/mcp-server/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import { createCredentialFinder, createTokenFinder, credentialInside } from '#core/platform/credentials.ts';
import {
  callInWords,
  commitTool,
  isCommitMember,
  RefusedChange,
  sentArguments,
  type ToolCallRequest,
} from '#core/proposals/index.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { OAuthRows } from '#core/store/oauth-rows.ts';
import { type CallProgress, callRepeatable } from '#core/service-client/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { refusalOf, refusalResult, whoamiTool, withOwnGrant } from '../answers/answer.ts';
import { withoutVerdict } from '../answers/verdict-schema.ts';
import { assertFits, undeclaredIn } from './assert-fits.ts';
import type { AgentPrincipal } from '../agent-principal.ts';
import { answerSchema, type Notes, type OwnTool } from './own-tools.ts';
import {
  assertCommittable,
  findPrepared,
  keepPrepared,
  type PreparedMemory,
  withPayload,
} from './prepared.ts';
import type { Formats } from '#shared/lib/formats.ts';

interface ToolCall {
  principal: AgentPrincipal;
  args: JsonObject;
  context: CallContext;
}

type ToolCaller = (
  principal: AgentPrincipal,
  call: { name: string; args: JsonObject },
  context: CallContext,
) => Promise<ToolResult>;

interface ToolCallerOptions {
  connections: Pick<Connections, 'remoteOf'>;
  freeze: Pick<Freeze, 'assertThawed'>;
  pins: ToolPins;
  refusedAttempts: Pick<RefusedAttempts, 'record'>;
  prepared: PreparedMemory;
  rows: Pick<OAuthRows, 'find'>;
  clock: Clock;
  logger: Logger;
  formats(): Formats;
}

interface CallParts {
  /** Proposes a write. Answers when its proposal has settled, or with a receipt. Fails as the gate does. */
  hold(
    request: ToolCallRequest,
    held: { context: CallContext; outputSchema: JsonValue | undefined },
  ): Promise<ToolResult>;
  notes: Notes;
  ownTools: ReadonlyMap<string, OwnTool>;
  countTools(principal: AgentPrincipal): number;
}

/** Returns refusals as answers with `isError`. Fails only with `object_not_found`, for an unknown name. */
export function createToolCaller(
  options: ToolCallerOptions,
  { hold, notes, ownTools, countTools }: CallParts,
): ToolCaller {
  const { connections, pins, freeze, refusedAttempts, prepared: memory, rows } = options;
  const { clock, logger, formats } = options;
  const findCredential = createCredentialFinder(rows, clock);
  const findToken = createTokenFinder(rows, clock);

  /**
   * Fails with `dlp_denied`. In a commit's payload only tokens are
   * refused: the service's unchanged fields may look like credentials.
   */
  function refuseCredentials(tool: PinnedTool, args: JsonObject): void {
    const { payload = null, ...others } = args;
    const found =
      tool.name === commitTool ? (findCredential(others) ?? findToken(payload)) : findCredential(args);
    if (found !== null) throw credentialInside('arguments', found);
  }

  async function pass(tool: PinnedTool, { principal, args, context }: ToolCall): Promise<JsonObject> {
    const remote = connections.remoteOf(principal.profileId);
    const { signal, wantsProgress } = context;
    const onProgress = progressTo(context, clock);
    return callRepeatable(remote, tool.name, args, { signal, ...(wantsProgress ? { onProgress } : {}) });
  }

  async function read(tool: PinnedTool, call: ToolCall): Promise<JsonObject> {
    const answer = await pass(tool, call);
    if (tool.name !== whoamiTool) return answer;
    const { agentId, name, scopes } = call.principal;
    return withOwnGrant(answer, { agentId, name, scopes, toolCount: countTools(call.principal) });
  }

  async function prepare(tool: PinnedTool, call: ToolCall): Promise<JsonObject> {
    const answer = await pass(tool, call);
    const { args, principal } = call;
    keepPrepared(answer, {
      memory,
      agentId: principal.agentId,
      call: { tool: tool.name, args },
      nowMs: clock.nowMs(),
    });
    return answer;
  }

  async function propose(tool: PinnedTool, call: ToolCall): Promise<ToolResult> {
    const { principal, context } = call;
    const { agentId, name, sinceMs, profileId } = principal;
    const { sessionId } = context;
    const { inputSchema } = tool.definition;
    const { args } = call;
    const prepared = findPrepared(args, { memory, agentId });
    const sent = sentArguments({ tool, args });
    const undeclared = undeclaredIn(sent, inputSchema, tool.name === commitTool ? isCommitMember : undefined);
    assertFits(sent, inputSchema, undeclared);
    assertCommittable(tool, args, prepared);
    const quotation = notes.take(sessionId);
    const request = {
      agent: { id: agentId, name, sinceMs, profileId },
      sessionId,
      tool: { name: tool.name, title: tool.title, definitionHash: tool.hash },
      args,
      undeclared: undeclared.map(({ path }) => path),
      quotation,
      prepared: prepared?.change ?? null,
    };
    try {
      return await hold(request, { context, outputSchema: tool.definition['outputSchema'] });
    } catch (failure) {
      // The person has not read the note, so it is kept for the next change.
      if (quotation !== null) notes.keep(sessionId, quotation);
      throw failure;
    }
  }

  async function call(tool: PinnedTool, asked: ToolCall): Promise<ToolResult> {
    refuseCredentials(tool, asked.args);
    freeze.assertThawed();
    if (tool.isHeld) throw new AppError('tool_held');
    switch (tool.treatAs) {
      case 'read':
        return asResult(await read(tool, asked));
      case 'prepare':
        return asResult(await prepare(tool, asked));
      case 'write':
        return propose(tool, asked);
      default:
        return assertNever(tool.treatAs);
    }
  }

  /** True for a new tool that the person has not reviewed. Agents must not learn that it exists. */
  function isNewWrite(profileId: string, name: string): boolean {
    return pins
      .views(profileId)
      .tools.some((tool) => tool.name === name && tool.state === 'new' && tool.treatAs === 'write');
  }

  /**
   * Completes the arguments of a commit that omits its payload, because checks, proposals and the record of refusals need
   * them.
   */
  function completeArgs(tool: PinnedTool, args: JsonObject, agentId: string): JsonObject {
    return tool.name === commitTool ? withPayload(args, findPrepared(args, { memory, agentId })) : args;
  }

  return async (principal, { name, args: given }, context) => {
    const own = ownTools.get(name);
    const tool = own === undefined ? pins.find(principal.profileId, name) : null;
    let args = given;
    const recordRefusal = (failure: unknown): void =>
      refusedAttempts.record(failedWrite(principal, { name, args }, failure, formats()));
    try {
      if (own !== undefined) return await own.call(principal, args, context);
      if (tool !== null) {
        args = completeArgs(tool, given, principal.agentId);
        return await call(tool, { principal, args, context });
      }
    } catch (failure) {
      if (tool?.treatAs === 'write') recordRefusal(failure);
      const schema = own === undefined ? tool?.definition['outputSchema'] : ownRefusals;
      return refusalResult(refusalOf(failure, { tool: name, logger }), schema);
    }
    if (isNewWrite(principal.profileId, name)) {
      recordRefusal(new AppError('tool_held', { message: newTool }));
    }
    throw new AppError('object_not_found', { message: 'There is no tool of this name.' });
  };
}

const ownRefusals = answerSchema({});

const newTool =
  'The service offers this tool since you last looked. Agents cannot use it until you accept it.';

export function failedWrite(
  { agentId, name, profileId }: AgentPrincipal,
  call: { name: string; args: JsonObject },
  failure: unknown,
  formats: Formats,
): FailedWrite {
  const asked = failure instanceof RefusedChange ? failure.asked : callInWords(call, formats);
  return { agent: { id: agentId, name, profileId }, asked, failure };
}

/** Removes Countersign's own member, which a service must not set. */
function asResult(answer: JsonObject): ToolResult {
  return withoutVerdict(answer) as JsonObject & ToolResult;
}

/** Drops progress reports that follow the previous one faster than this, so that a service cannot flood the client's stream. */
const progressSpacingMs = 50;

function progressTo({ progress }: CallContext, clock: Clock) {
  let reportedAtMs = Number.NEGATIVE_INFINITY;
  return ({ progress: made, total, message }: CallProgress): void => {
    const nowMs = clock.monotonicMs();
    if (nowMs - reportedAtMs < progressSpacingMs) return;
    reportedAtMs = nowMs;
    void progress(made, total ?? undefined, message ?? undefined);
  };
}
