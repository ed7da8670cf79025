import type { Freeze, RefusedAttempts, ToolPins } from '#core/agents/index.ts';
import type { Connections } from '#core/connections/index.ts';
import type {
  CallContext,
  McpSurface,
  Principal,
  ToolDefinition,
  ToolResult,
} from '#core/mcp-server/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { AgentGate, ToolCallRequest } from '#core/proposals/index.ts';
import type { OAuthRows } from '#core/store/oauth-rows.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import type { Formats } from '#shared/lib/formats.ts';

/** The agent behind a request, admitted by the user for one profile. The key is its id. */
export interface AgentPrincipal extends Principal {
  agentId: string;
  /** The one profile that its calls go to. */
  profileId: string;
  /** The agent's own claim: foreign text. */
  name: string;
  /** The time of its admission, in milliseconds. */
  sinceMs: number;
  scopes: ReadonlySet<string>;
}

/** Changes that the service prepared for agents, by their approvals. */
export interface PreparedMemory {
  keep(change: PreparedBody & { agentId: string; approvalId: string }): void;
  find(agentId: string, approvalId: string): PreparedBody | null;
}

export interface PreparedBody {
  /** The tool that prepared it. */
  tool: string;
  /** The answer's `data` and the arguments of the prepare, as canonical JSON text; `{}` where the answer cannot be read. */
  body: string;
  expiresAtMs: number;
}

/** Lets writes of agents wait for a person (docs/agents.md). */
export interface Hold {
  /**
   * Proposes the call and waits until it has settled, or until its limit, when the agent gets a receipt. A call that
   * ends before its answer withdraws its proposal, and so does one that fails; if its session ends, it is answered all the same.
   * Fails as the gate does.
   */
  call(
    request: ToolCallRequest,
    asked: { context: CallContext; outputSchema: JsonValue | undefined },
  ): Promise<ToolResult>;
  /** The answer to a proposal of this agent, after waiting for it so long at most. Fails with `proposal_not_found`. */
  wait(
    agentId: string,
    asked: { context: CallContext; proposalId: string; waitMs: number | null },
  ): Promise<ToolResult>;
}

/** A tool of Countersign itself. What it fails with is answered as a refusal. */
export interface OwnTool {
  definition: ToolDefinition;
  call(principal: AgentPrincipal, args: JsonObject, context: CallContext): Promise<ToolResult> | ToolResult;
}

/** Notes of agents on the change that they propose next, by session; forgotten with it. In memory: no session outlives the program. */
export interface Notes {
  keep(sessionId: string, text: string): void;
  /** The note of this session, which is not kept any longer; null if there is none. */
  take(sessionId: string): string | null;
  forget(sessionId: string): void;
}

export interface SurfaceOptions {
  connections: Pick<Connections, 'of'>;
  gate: { agents: AgentGate };
  freeze: Pick<Freeze, 'assertThawed'>;
  pins: ToolPins;
  refusedAttempts: Pick<RefusedAttempts, 'record'>;
  prepared: PreparedMemory;
  /** Of the tokens that agents have of this gateway. */
  rows: Pick<OAuthRows, 'find'>;
  clock: Clock;
  logger: Logger;
  /** Called when the lists of this profile's agents may have changed. */
  onListsChanged(profileId: string): void;
  /** How numbers and moments are written at this time. */
  formats(): Formats;
}

/** The tools, resources and prompts that agents are offered (docs/agents.md). The creator disposes it. */
export interface AgentSurface extends AsyncDisposable {
  surface: McpSurface<AgentPrincipal>;
  /**
   * Resolves when the lists of the profile's service are there, or when waiting for them is of no use: asked before every
   * request, and cheap when they are. Never fails: what is pinned stands in for a service that is away.
   */
  ready(profileId: string): Promise<void>;
}
