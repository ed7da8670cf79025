import type { IncomingMessage } from 'node:http';
import type { Clock } from '#core/platform/clock.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';

/** The caller. Its key stands for the subject together with the client, and owns sessions. */
export interface Principal {
  key: string;
  /** The grant of the call, whose end also ends its sessions. Null if there is none. */
  grantId: string | null;
}

/** A tool as clients list it (MCP, Tools), with plain JSON Schema. */
export interface ToolDefinition {
  name: string;
  title?: string;
  description: string;
  inputSchema: JsonObject;
  outputSchema?: JsonObject;
  annotations?: JsonObject;
  [extension: string]: unknown;
}

/** A value that is written as JSON already. An answer of the server contains a copy of the text. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** The answer of a tool, sent to the client unchanged (MCP `CallToolResult`). */
export interface ToolResult<Structured = JsonObject> {
  content: JsonObject[];
  structuredContent?: Structured;
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

/** The answer of a resource, sent to the client unchanged (MCP `ReadResourceResult`). */
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

/** An answer of revision 2026-07-28 that is no complete result: `task` (Tasks extension) or `input_required`. */
export class OtherAnswer implements ToolResult {
  readonly content = [];
  readonly members: JsonObject & { resultType: 'task' | 'input_required' };
  [extension: string]: unknown;

  constructor(members: OtherAnswer['members']) {
    this.members = members;
  }
}

/** The capabilities and the params of one request of revision 2026-07-28. */
export interface StatelessClient {
  capabilities: JsonObject;
  params: JsonObject;
}

export interface CallContext {
  /** Aborts when the caller cancels or disconnects, or when its session ends. */
  signal: AbortSignal;
  /** True if the signal has aborted because the session ends. The client still receives an answer within two seconds. */
  isEnding: boolean;
  /** Without a session, all calls of a principal share one id. */
  sessionId: string;
  /** Null in a session. An {@link OtherAnswer} is only allowed without a session. */
  client: StatelessClient | null;
  wantsProgress: boolean;
  /** Reports progress; does nothing if the caller did not ask for it. `progress` must grow. */
  progress(progress: number, total?: number, message?: string): Promise<void>;
  log(level: string, data: JsonValue, logger?: string): Promise<void>;
  /** Sends a request to the client, for example `sampling/createMessage`. Never used for approvals. */
  ask(method: string, params: JsonObject): Promise<JsonObject>;
  /** Ends the answering stream early, so that the client resumes it; does nothing without resumption. */
  closeStream(): void;
}

/** `asked` by its client (DELETE), or `dropped`: idle, over a limit or without a grant. A client may return in a new session. */
export type SessionEnd = 'asked' | 'dropped';

export interface IncomingCall {
  method: string;
  params: JsonObject;
}

/**
 * The tools, resources and prompts of one server, without types of the SDK. Lists are read at every request. An `AppError`
 * becomes a JSON-RPC error; a tool should return `isError` instead. `object_not_found` is -32602 for a tool or prompt. For a
 * resource it is -32002 in a session, and -32602 without one.
 */
export interface McpSurface<P extends Principal> {
  capabilities: {
    subscribe?: boolean;
    completions?: boolean;
    logging?: boolean;
  };
  /**
   * Checks a call before its answer begins. An `AppError` becomes the HTTP answer; `scope_missing` and `quota_exceeded` also
   * set headers.
   */
  admit(principal: P, call: IncomingCall): void;
  /** The current state of the principal, for `listsChanged`; null ends its sessions. By default, that of the latest request. */
  current?(principal: P): P | null;
  /** Called once when a session and its calls have ended. */
  sessionEnded?(principal: P, sessionId: string, how: SessionEnd): void;
  listTools(principal: P): readonly ToolDefinition[];
  callTool(
    principal: P,
    call: { name: string; args: JsonObject },
    context: CallContext,
  ): Promise<ToolResult<JsonObject | JsonText>>;
  listResources(principal: P): readonly ResourceDefinition[];
  listResourceTemplates(principal: P): readonly ResourceTemplate[];
  /** Resolves with the contents, or with a whole result. */
  readResource(principal: P, uri: string, context: CallContext): Promise<ResourceContents[] | ResourceResult>;
  listPrompts(principal: P): readonly PromptDefinition[];
  getPrompt(
    principal: P,
    call: { name: string; args: Record<string, string> },
    context: CallContext,
  ): Promise<JsonObject | OtherAnswer>;
  /** Resolves with `{completion}` for the params of `completion/complete`. Required with `capabilities.completions`. */
  complete?(principal: P, params: JsonObject): Promise<JsonObject>;
  tasks?: McpTasks<P>;
}

/** The tasks of a principal, by their ids. Each method fails with `object_not_found`, also for another principal's id. */
export interface McpTasks<P extends Principal> {
  /** The current task (`DetailedTask` of the extension). */
  find(principal: P, taskId: string): JsonObject;
  cancel(principal: P, taskId: string): void;
  /** Resolves with the task when it has ended, or when the signal aborts. */
  ended(principal: P, taskId: string, signal: AbortSignal): Promise<JsonObject>;
}

export interface McpLimits {
  maxBodyBytes: number;
  maxBatch: number;
  /**
   * Open sessions of all principals, and of one. Beyond it, the least recently used session ends; sessions with running
   * calls end last. These numbers also limit the streams of `subscriptions/listen`.
   */
  maxSessions: number;
  maxSessionsPerPrincipal: number;
  /** Time after which an unused session without an open stream ends. */
  sessionIdleMs: number;
  /** Running calls of one session, or of one principal without a session. More are answered with 429. */
  maxCallsPerSession: number;
  maxSubscriptionsPerSession: number;
  /** Interval of keep-alive comments, so that no proxy closes an idle stream. */
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
  /** Lets clients resume a broken stream (MCP, Resumability). Off by default. */
  resumption?: boolean;
  onSessions?(): void;
  clock: Clock;
  ids: Ids;
  logger: Logger;
}
