import type { IncomingMessage } from 'node:http';
import type { Clock } from '#core/platform/clock.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';

/** The caller. A session belongs to one key: the subject together with the client. */
export interface Principal {
  key: string;
  /** The grant behind the call; when it ends, its sessions end. Null if there is none. */
  grantId: string | null;
}

/** A tool as it is listed (MCP, Tools): plain JSON Schema, nothing stripped. */
export interface ToolDefinition {
  name: string;
  title?: string;
  description: string;
  inputSchema: JsonObject;
  outputSchema?: JsonObject;
  annotations?: JsonObject;
  [extension: string]: unknown;
}

/** The answer of a tool, as it goes to the client (MCP `CallToolResult`). */
export interface ToolResult {
  content: JsonObject[];
  structuredContent?: JsonObject;
  isError?: boolean;
  [extension: string]: unknown;
}

export interface ResourceDefinition {
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
}

export interface ResourceTemplate {
  uriTemplate: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
}

/** The contents of a resource: `text` or base64 `blob`. */
export interface ResourceContents {
  uri: string;
  mimeType?: string;
  text?: string;
  blob?: string;
}

/** The answer of a resource, as it goes to the client (MCP `ReadResourceResult`). */
export interface ResourceResult {
  contents: readonly JsonValue[];
  [extension: string]: unknown;
}

export interface PromptDefinition {
  name: string;
  title?: string;
  description?: string;
  arguments?: { name: string; description?: string; required?: boolean }[];
}

/** An answer of another type than a result of revision 2026-07-28: `task` (Tasks extension) or `input_required`. */
export class OtherAnswer implements ToolResult {
  readonly content = [];
  readonly members: JsonObject & { resultType: 'task' | 'input_required' };
  [extension: string]: unknown;

  constructor(members: OtherAnswer['members']) {
    this.members = members;
  }
}

/** What a client of revision 2026-07-28 sent with one request. */
export interface StatelessClient {
  capabilities: JsonObject;
  params: JsonObject;
}

export interface CallContext {
  /** Fires when the caller cancels, goes away or its session ends. */
  signal: AbortSignal;
  /** The session ends: the signal has fired, and an answer that comes within a second is still heard. */
  isEnding: boolean;
  /** Without a session one text for all calls of the principal. */
  sessionId: string;
  /** Null in a session. Only with it an {@link OtherAnswer} can be given. */
  client: StatelessClient | null;
  wantsProgress: boolean;
  /** Reports progress; does nothing if the caller did not ask for it. `progress` must grow. */
  progress(progress: number, total?: number, message?: string): Promise<void>;
  /** A log message to the caller, where it wants that level. */
  log(level: string, data: JsonValue, logger?: string): Promise<void>;
  /** Asks the client something, for example `sampling/createMessage`; never used for approvals. */
  ask(method: string, params: JsonObject): Promise<JsonObject>;
  /** Ends the answering stream early, so that the client resumes it; does nothing without resumption. */
  closeStream(): void;
}

/**
 * `asked` by its client (DELETE), or `dropped`: idle, over a limit or without a grant. Its client comes again in a new
 * session.
 */
export type SessionEnd = 'asked' | 'dropped';

export interface IncomingCall {
  method: string;
  params: JsonObject;
}

/**
 * The tools, resources and prompts of one server, without types of the SDK. Lists are asked at every request. An
 * `AppError` becomes a JSON-RPC error; a tool should rather return `isError`. `object_not_found` is -32602 for a tool or
 * prompt, and -32002 for a resource.
 */
export interface McpSurface<P extends Principal> {
  capabilities: {
    subscribe?: boolean;
    completions?: boolean;
    logging?: boolean;
  };
  /**
   * Looks at a call before anything is answered. An `AppError` is the HTTP answer, `scope_missing` and `quota_exceeded`
   * with headers.
   */
  admit(principal: P, call: IncomingCall): void;
  /** The current state of the principal, for `listsChanged`; null ends its sessions. Without it the latest request's counts. */
  current?(principal: P): P | null;
  /** Called once when a session has ended, with its calls. */
  sessionEnded?(principal: P, sessionId: string, how: SessionEnd): void;
  listTools(principal: P): readonly ToolDefinition[];
  callTool(principal: P, call: { name: string; args: JsonObject }, context: CallContext): Promise<ToolResult>;
  listResources(principal: P): readonly ResourceDefinition[];
  listResourceTemplates(principal: P): readonly ResourceTemplate[];
  /** The contents, or the whole result with them. */
  readResource(principal: P, uri: string, context: CallContext): Promise<ResourceContents[] | ResourceResult>;
  listPrompts(principal: P): readonly PromptDefinition[];
  getPrompt(
    principal: P,
    call: { name: string; args: Record<string, string> },
    context: CallContext,
  ): Promise<JsonObject | OtherAnswer>;
  /** `completion/complete` params to `{completion}`; where `capabilities.completions`. */
  complete?(principal: P, params: JsonObject): Promise<JsonObject>;
  /** Answers the Tasks extension, for clients without a session. */
  tasks?: McpTasks<P>;
}

/** The tasks of a principal, by their ids. Each method fails with `object_not_found`, also for another principal's id. */
export interface McpTasks<P extends Principal> {
  /** The task as it is now (`DetailedTask` of the extension). */
  find(principal: P, taskId: string): JsonObject;
  /** Ends the task if that is still possible. */
  cancel(principal: P, taskId: string): void;
  /** Resolves with the task when it has ended, or when the signal fires. */
  ended(principal: P, taskId: string, signal: AbortSignal): Promise<JsonObject>;
}

export interface McpLimits {
  maxBodyBytes: number;
  maxBatch: number;
  /**
   * Open at once, of all principals and of one; beyond it the least recently used ends, and one whose call runs last.
   * The same numbers limit the streams of `subscriptions/listen`.
   */
  maxSessions: number;
  maxSessionsPerPrincipal: number;
  /** Time after which an unused session without an open stream ends. */
  sessionIdleMs: number;
  /** Running calls of one session, or of one principal without a session; more are 429. */
  maxCallsPerSession: number;
  maxSubscriptionsPerSession: number;
  /** Interval of the comments on a stream, so that no proxy takes it for dead. */
  keepAliveMs: number;
}

export interface McpServerOptions<P extends Principal> {
  info: { name: string; title: string; version: string };
  instructions: string;
  surface: McpSurface<P>;
  /**
   * Fails with an `AppError`: `token_invalid` and `scope_missing` are answered with a challenge (RFC 6750 §3, RFC 9728
   * §5.1).
   */
  authenticate(request: IncomingMessage): Promise<P>;
  resourceMetadataUrl: string;
  limits?: Partial<McpLimits>;
  /** Lets a broken stream be resumed where it ended (MCP, Resumability); off by default. */
  resumption?: boolean;
  onSessions?(): void;
  clock: Clock;
  ids: Ids;
  logger: Logger;
}
