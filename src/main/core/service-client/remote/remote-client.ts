import { systemClock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import { AppError } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import type { CallOutcome } from '../rest-requests.ts';
import { maxAnswerBytes } from '#system/http/answer.ts';
import { untilAborted } from '#system/http/public-address.ts';
import type { RemoteAccess } from '../oauth/grants.ts';
import { isTimeout, type RetryTimers, withRetry } from '../retry.ts';
import type { ExactJson } from './rpc-message.ts';
import { SessionUnknown, unreadable } from './tool-requests.ts';
import type {
  CallOptions,
  ChangedList,
  Protocol,
  ProtocolMemory,
  Session,
  SessionOptions,
} from './session.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

interface RemoteClientOptions {
  /** `{mcp_url}`, an origin. The endpoint is its path `/mcp`. */
  mcpUrl: string;
  access: RemoteAccess;
  timeoutMs: number;
  logger: Logger;
  observe?(outcome: CallOutcome): void;
  protocol?: ProtocolMemory;
  pauses?: RetryTimers;
}

/**
 * The remote tools of one service (contract §4.3), by MCP 2026-07-28 or, if the service does not speak that, over one session
 * of an older revision. A session begins with the first call, and again when the service no longer knows it (404). Lists are
 * read to their last page; a list that the service does not offer is empty. Answers keep their unknown members.
 *
 * Fails with `sign_in_needed`, `scope_needed` (data: `scope`, null if the service names none), `forbidden`, `wrong_host`,
 * `rate_limited`, `service_unavailable`, `service_unreachable`, `service_failed`, `service_answer_unreadable`, `tool_refused`,
 * `object_not_found`, `protocol_failed`, or with `call_cancelled` once it is disposed. Reads are repeated by `withRetry`.
 */
export interface RemoteClient extends AsyncDisposable {
  listTools(): Promise<JsonObject[]>;
  listResources(): Promise<JsonObject[]>;
  listResourceTemplates(): Promise<JsonObject[]>;
  listPrompts(): Promise<JsonObject[]>;
  /**
   * Resolves with the unchanged result; `isError` is a result, not a failure. `ExactJson` is sent unchanged. A call is not
   * repeated once the service may have executed it: without a readable answer it fails with `outcome_unknown`. A cancelled
   * call fails with `call_cancelled`.
   */
  callTool(name: string, args: JsonObject | ExactJson, options?: CallOptions): Promise<JsonObject>;
  readResource(uri: string): Promise<JsonObject>;
  getPrompt(name: string, args: Record<string, string>): Promise<JsonObject>;
  /** The revision of MCP that both sides speak, for example `2026-07-28`. */
  protocolVersion(): Promise<string>;
  supportsCompletion(): Promise<boolean>;
  /** `completion/complete` (MCP, Completion), with unchanged params and the whole result. */
  complete(params: JsonObject): Promise<JsonObject>;
  /**
   * Reports a changed list, and every list after a break of the stream or in a new session. Returns the unsubscribe
   * function.
   */
  onListChanged(listener: (list: ChangedList) => void): () => void;
}

/** Requests nothing before the first call. The creator disposes the client, which ends its session. */
export function createRemoteClient(options: RemoteClientOptions): RemoteClient {
  const { mcpUrl, pauses } = options;
  const listeners = new Set<(list: ChangedList) => void>();
  const report = (list: ChangedList): void => {
    for (const listener of listeners) listener(list);
  };
  const sessions = createSessions({
    ...options,
    endpoint: new URL(`${mcpUrl}/mcp`),
    connections: { areSuspect: false },
    protocol: options.protocol ?? createProtocolMemory(null),
    pauses: pauses ?? { clock: systemClock, random: Math.random },
    retryPauses: pauses,
    onListChanged: report,
    onGap: () => everyList.forEach(report),
    // Opens a new session for the listeners, even if no call follows.
    onLost: () => void (listeners.size > 0 && sessions.current().catch(() => undefined)),
  });

  /** Makes a request in the current session. Repeats it in a new session only if the service does not know the current one. */
  async function ask<T>(work: (session: Session) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const session = sessions.open() ?? (await awaitShared(sessions.current(), signal));
    try {
      return await work(session);
    } catch (failure) {
      if (!(failure instanceof SessionUnknown)) throw failure;
      sessions.lost(session);
    }
    const next = await awaitShared(sessions.current(), signal);
    try {
      return await work(next);
    } catch (failure) {
      throw failure instanceof SessionUnknown ? failure.refusal : failure;
    }
  }

  const read = (method: string, params: JsonObject): Promise<JsonObject> =>
    ask((session) => withRetry(() => session.request(method, params, {}), { pauses }));

  async function list(what: ChangedList, method: string, member: string): Promise<JsonObject[]> {
    const { offers } = await sessions.current();
    // Some services have tools without announcing them. Other lists exist only if announced.
    if (what !== 'tools' && !offers(what)) return [];
    return readPages(member, (params) => read(method, params));
  }

  return {
    listTools: () => list('tools', 'tools/list', 'tools'),
    listResources: () => list('resources', 'resources/list', 'resources'),
    listResourceTemplates: () => list('resources', 'resources/templates/list', 'resourceTemplates'),
    listPrompts: () => list('prompts', 'prompts/list', 'prompts'),
    callTool(name, args, callOptions = {}) {
      const params = { name, arguments: args };
      return ask(async (session) => {
        try {
          return await session.request('tools/call', params, callOptions);
        } catch (failure) {
          throw mayHaveExecuted(failure) ? new AppError('outcome_unknown', { cause: failure }) : failure;
        }
      }, callOptions.signal);
    },
    readResource: (uri) => read('resources/read', { uri }),
    getPrompt: (name, args) => read('prompts/get', { name, arguments: args }),
    protocolVersion: async () => (await sessions.current()).protocolVersion,
    supportsCompletion: async () => (await sessions.current()).offers('completions'),
    complete: (params) => read('completion/complete', params),
    onListChanged(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    dispose: () => sessions.dispose(),
  };
}

function createProtocolMemory(known: Protocol | null): ProtocolMemory {
  let protocol = known;
  return { read: () => protocol, write: (spoken) => void (protocol = spoken) };
}

const everyList: readonly ChangedList[] = ['tools', 'resources', 'prompts'];

/** True if the service may have received the request and no readable answer came back, so the call may have been executed. */
function mayHaveExecuted(failure: unknown): boolean {
  return failure instanceof AppError && failure.data['sent'] === true;
}

/** Waits for a promise that other callers share. Fails with `call_cancelled` if the signal aborts; the shared work continues. */
async function awaitShared<T>(shared: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) return shared;
  return untilAborted(shared, signal).catch((failure: unknown) => {
    throw signal.aborted ? new AppError('call_cancelled') : failure;
  });
}

const maxPages = 1_000;

/** Reads all pages. Fails with `protocol_failed` for a too long or cyclic list, and with `service_answer_unreadable`. */
export async function readPages(
  member: string,
  readPage: (params: JsonObject) => Promise<JsonObject>,
): Promise<JsonObject[]> {
  const read: JsonObject[][] = [];
  const seen = new Set<string>();
  let params: JsonObject = {};
  let size = 0;
  for (let pages = 0; pages < maxPages; pages += 1) {
    const result = await readPage(params);
    const found = result[member];
    if (!Array.isArray(found) || !found.every(isJsonObject)) {
      throw unreadable(sentence`Its \`${ownWords(member)}\` is no list of objects.`);
    }
    read.push(found);
    size += JSON.stringify(found).length;
    const cursor = result['nextCursor'] ?? null;
    if (cursor === null) return read.flat();
    if (typeof cursor !== 'string') throw unreadable(sentence`Its \`nextCursor\` is no text.`);
    if (seen.has(cursor) || size > maxAnswerBytes) break;
    seen.add(cursor);
    params = { cursor };
  }
  throw new AppError('protocol_failed', {
    message: sentence`The service’s list of ${ownWords(member)} has no end.`,
  });
}

/** An opened session. `mark` identifies its attempt, because the session may be lost before the attempt returns it. */
interface OpenedSession {
  mark: symbol;
  session: Session;
}

/** Loads both protocols and the SDK on demand, so that the core starts faster. */
export const loadProtocols = async () => ({
  ...(await import('./stateless-session.ts')),
  ...(await import('./initialized-session.ts')),
});

/**
 * Tries 2026-07-28 and then `initialize`. Skips 2026-07-28 if the service last spoke `initialize`; after `protocol_failed`,
 * the next attempt tries both again. Fails as the requests do.
 */
async function beginSession(options: SessionOptions): Promise<Session> {
  const { protocol } = options;
  const { beginInitializedSession, beginStatelessSession, UnsupportedRevisionError } = await loadProtocols();
  if (protocol.read() !== 'initialized') {
    try {
      const session = await beginStatelessSession(options);
      protocol.write('stateless');
      return session;
    } catch (failure) {
      if (!(failure instanceof UnsupportedRevisionError)) throw failure;
    }
  }
  try {
    const session = await beginInitializedSession(options);
    protocol.write('initialized');
    return session;
  } catch (failure) {
    if (failure instanceof AppError && failure.code === 'protocol_failed') protocol.write(null);
    throw failure;
  }
}

function createSessions(options: Omit<SessionOptions, 'signal'> & { retryPauses: RetryTimers | undefined }) {
  const closing = new AbortController();
  let opening: Promise<Session> | null = null;
  let openedSession: OpenedSession | null = null;
  let hasOpenedBefore = false;

  async function begin(): Promise<Session> {
    const { signal } = closing;
    const begun = await withRetry(attempt, { pauses: options.retryPauses, signal });
    const { session } = begun;
    if (signal.aborted) {
      await session.end(true);
      throw new AppError('call_cancelled');
    }
    openedSession = begun;
    // Changes between the two sessions were missed.
    if (hasOpenedBefore) options.onGap();
    hasOpenedBefore = true;
    return session;
  }

  async function attempt(): Promise<OpenedSession> {
    const mark = Symbol('session');
    const onLost = (): void => dropSession((begun) => begun.mark === mark);
    return { mark, session: await beginSession({ ...options, signal: closing.signal, onLost }) };
  }

  function dropSession(isLost: (begun: OpenedSession) => boolean): void {
    if (openedSession === null || !isLost(openedSession)) return;
    const { session } = openedSession;
    openedSession = null;
    opening = null;
    void session.end(false);
    options.onLost();
  }

  function openSession(): Promise<Session> {
    if (closing.signal.aborted) return Promise.reject(new AppError('call_cancelled'));
    opening ??= begin().catch((failure: unknown) => {
      opening = null;
      throw failure;
    });
    return opening;
  }

  return {
    open: (): Session | null => (closing.signal.aborted ? null : (openedSession?.session ?? null)),
    async current(): Promise<Session> {
      try {
        if (opening !== null && !closing.signal.aborted) return await opening;
      } catch (failure) {
        // The timeout began before this call: retry.
        if (!isTimeout(failure)) throw failure;
      }
      return openSession();
    },
    lost: (lost: Session) => dropSession(({ session }) => session === lost),
    async dispose(): Promise<void> {
      if (closing.signal.aborted) return;
      const session = opening?.catch(() => null);
      closing.abort(new AppError('call_cancelled'));
      await (await session)?.end(true);
    },
  };
}
