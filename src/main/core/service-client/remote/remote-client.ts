import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { CallOutcome } from '../call.ts';
import type { RemoteAccess } from '../oauth/index.ts';

export interface RemoteClientOptions {
  /** `{mcp_url}`, an origin; the endpoint is `/mcp` below it. */
  mcpUrl: string;
  access: RemoteAccess;
  /** One request and its answer, where no progress comes, in milliseconds. */
  timeoutMs: number;
  logger: Logger;
  observe?(outcome: CallOutcome): void;
}

/** How far a long call is, as the service says it. */
export interface CallProgress {
  progress: number;
  total: number | null;
  /** Foreign text. */
  message: string | null;
}

export interface CallOptions {
  /** Cancels the call here and tells the service (`notifications/cancelled`). */
  signal?: AbortSignal;
  /** Asks for progress, which also keeps the call's time from running out. */
  onProgress?(progress: CallProgress): void;
  timeoutMs?: number;
}

/** Which of the service's lists has changed. */
export type ChangedList = 'tools' | 'resources' | 'prompts';

/** Who answers, as it said at `initialize`. */
export interface RemoteServerInfo {
  name: string;
  version: string;
  protocolVersion: string;
  instructions: string | null;
}

/**
 * The remote tools of one service (contract §4.3) over one session, which begins with the first call and is begun again
 * where the service no longer knows it (404). Lists are read to their last page. What the service says is passed on whole,
 * unknown members included.
 *
 * Fails with `sign_in_needed`, `scope_needed` (data: `scope`), `forbidden`, `wrong_host`, `rate_limited`,
 * `service_unavailable`, `service_unreachable`, `service_answer_unreadable`, `tool_refused` or `protocol_failed`.
 */
export interface RemoteClient extends AsyncDisposable {
  info(): Promise<RemoteServerInfo>;
  listTools(): Promise<JsonObject[]>;
  listResources(): Promise<JsonObject[]>;
  listResourceTemplates(): Promise<JsonObject[]>;
  listPrompts(): Promise<JsonObject[]>;
  /** The result as it came; `isError` is a result, not a failure. A call is never sent a second time by itself after it may have been carried out. */
  callTool(name: string, args: JsonObject, options?: CallOptions): Promise<JsonObject>;
  readResource(uri: string): Promise<JsonObject>;
  getPrompt(name: string, args: Record<string, string>): Promise<JsonObject>;
  /** Returns the end of the subscription. */
  onListChanged(listener: (list: ChangedList) => void): () => void;
}

/** Makes the client; nothing is asked before the first call. Whoever made it disposes it, which ends the session. */
export function createRemoteClient(_options: RemoteClientOptions): RemoteClient {
  const notYet = (): Promise<never> => Promise.reject(new Error('not yet'));
  return {
    info: notYet,
    listTools: notYet,
    listResources: notYet,
    listResourceTemplates: notYet,
    listPrompts: notYet,
    callTool: notYet,
    readResource: notYet,
    getPrompt: notYet,
    onListChanged: () => () => undefined,
    dispose: async () => {},
  };
}
