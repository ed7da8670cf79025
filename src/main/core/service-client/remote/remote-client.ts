import { systemClock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import { AppError } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import type { CallOutcome } from '../rest-requests.ts';
import { maxAnswerBytes } from '#system/http/answer.ts';
import { untilAborted } from '#system/http/public-address.ts';
import type { RemoteAccess } from '../oauth/grants.ts';
import { type Pauses, withRetry } from '../retry.ts';
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
  /** `{mcp_url}`, an origin; the endpoint is `/mcp` below it. */
  mcpUrl: string;
  access: RemoteAccess;
  timeoutMs: number;
  logger: Logger;
  observe?(outcome: CallOutcome): void;
  /** What the service of a profile last spoke; without it, it is known while this client lives. */
  protocol?: ProtocolMemory;
  /** Waiting of reads before another try; without it they do not wait. Its clock also times requests and the stream. */
  pauses?: Pauses;
}

/**
 * The remote tools of one service (contract §4.3), by MCP 2026-07-28 or, if the service does not speak that, over one session
 * of an older revision, which begins with the first call and is begun again when the service no longer knows it (404). Lists are read to their last page; a list that the service does not offer is
 * empty. What the service says is passed on whole, unknown members included.
 *
 * Fails with `sign_in_needed`, `scope_needed` (data: `scope`, null where the service names none), `forbidden`, `wrong_host`,
 * `rate_limited`, `service_unavailable`, `service_unreachable`, `service_failed`, `service_answer_unreadable`, `tool_refused`,
 * `object_not_found`, `protocol_failed`, or with `call_cancelled` once it is disposed. Reads are tried again by the one policy.
 */
export interface RemoteClient extends AsyncDisposable {
  listTools(): Promise<JsonObject[]>;
  listResources(): Promise<JsonObject[]>;
  listResourceTemplates(): Promise<JsonObject[]>;
  listPrompts(): Promise<JsonObject[]>;
  /**
   * The result as it came; `isError` is a result, not a failure. Arguments given as an exact text leave as that text. A call is never sent a second time by itself after it may
   * have been carried out: without a readable answer it fails with `outcome_unknown`. Cancelled, it fails with `call_cancelled`.
   */
  callTool(name: string, args: JsonObject | ExactJson, options?: CallOptions): Promise<JsonObject>;
  readResource(uri: string): Promise<JsonObject>;
  getPrompt(name: string, args: Record<string, string>): Promise<JsonObject>;
  /** The revision of MCP that the service speaks with us, for example `2026-07-28`. */
  protocolVersion(): Promise<string>;
  completes(): Promise<boolean>;
  /** `completion/complete` (MCP, Completion): its params as they are, and the whole result. */
  complete(params: JsonObject): Promise<JsonObject>;
  /**
   * Reports a changed list, and every list after a break of the stream or in a new session. Returns the unsubscribe
   * function.
   */
  onListChanged(listener: (list: ChangedList) => void): () => void;
}

/** Makes the client; nothing is requested before the first call. Its creator disposes it, which ends the session. */
export function createRemoteClient(options: RemoteClientOptions): RemoteClient {
  const { mcpUrl, pauses } = options;
  const listeners = new Set<(list: ChangedList) => void>();
  const report = (list: ChangedList): void => {
    for (const listener of listeners) listener(list);
  };
  const sessions = createSessions({
    ...options,
    endpoint: `${mcpUrl}/mcp`,
    connections: { areSuspect: false },
    protocol: options.protocol ?? memoryOf(null),
    pauses: pauses ?? { clock: systemClock, random: Math.random },
    retryPauses: pauses,
    onListChanged: report,
    onGap: () => everyList.forEach(report),
    // A listener makes no call, so nothing else would begin its session.
    onLost: () => void (listeners.size > 0 && sessions.current().catch(() => undefined)),
  });

  /** Asks within the session of now, and once more within another one where the service does not know it. */
  async function ask<T>(work: (session: Session) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const session = await within(sessions.current(), signal);
    try {
      return await work(session);
    } catch (failure) {
      if (!(failure instanceof SessionUnknown)) throw failure;
      sessions.lost(session);
    }
    const next = await within(sessions.current(), signal);
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
    // Some services have tools without announcing them; the other capabilities exist only if announced.
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
          throw mayBeDone(failure) ? new AppError('outcome_unknown', { cause: failure }) : failure;
        }
      }, callOptions.signal);
    },
    readResource: (uri) => read('resources/read', { uri }),
    getPrompt: (name, args) => read('prompts/get', { name, arguments: args }),
    protocolVersion: async () => (await sessions.current()).protocolVersion,
    completes: async () => (await sessions.current()).offers('completions'),
    complete: (params) => read('completion/complete', params),
    onListChanged(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    dispose: () => sessions.dispose(),
  };
}

function memoryOf(known: Protocol | null): ProtocolMemory {
  let protocol = known;
  return { read: () => protocol, write: (spoken) => void (protocol = spoken) };
}

const everyList: readonly ChangedList[] = ['tools', 'resources', 'prompts'];

/** The request may have reached the service, and no readable answer came back. */
function mayBeDone(failure: unknown): boolean {
  return failure instanceof AppError && failure.data['sent'] === true;
}

/** Waits for what others may wait for too. Fails with `call_cancelled` when the signal aborts before; it goes on for the others. */
async function within<T>(shared: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) return shared;
  return untilAborted(shared, signal).catch((failure: unknown) => {
    throw signal.aborted ? new AppError('call_cancelled') : failure;
  });
}

const maxPages = 1_000;

/**
 * Every item of a list to its last page. Fails with `protocol_failed` if the pages have no end, and with
 * `service_answer_unreadable`.
 */
export async function readPages(
  member: string,
  page: (params: JsonObject) => Promise<JsonObject>,
): Promise<JsonObject[]> {
  const read: JsonObject[][] = [];
  const seen = new Set<string>();
  let params: JsonObject = {};
  let size = 0;
  for (let pages = 0; pages < maxPages; pages += 1) {
    const result = await page(params);
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

/** A session with the mark of the attempt that began it: the service may forget it before it is handed over. */
interface Begun {
  mark: symbol;
  session: Session;
}

/** Loads the modules of both protocols, and with them the SDK, which no start of the core waits for. */
export const loadRemoteTools = async () => ({
  ...(await import('./stateless-session.ts')),
  ...(await import('./initialized-session.ts')),
});

/**
 * Begins with what the service last spoke; if that is not known, with 2026-07-28, and with `initialize` if the service
 * does not speak that. A service that no longer speaks what is remembered is asked anew at the next attempt. Fails as
 * the requests do.
 */
async function beginSession(options: SessionOptions): Promise<Session> {
  const { protocol } = options;
  const { beginInitializedSession, beginStatelessSession, OlderService } = await loadRemoteTools();
  if (protocol.read() !== 'initialized') {
    try {
      const session = await beginStatelessSession(options);
      protocol.write('stateless');
      return session;
    } catch (failure) {
      if (!(failure instanceof OlderService)) throw failure;
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

/** The session of now; however many ask, one is begun. */
function createSessions(options: Omit<SessionOptions, 'signal'> & { retryPauses: Pauses | undefined }) {
  const closing = new AbortController();
  let opening: Promise<Session> | null = null;
  let held: Begun | null = null;
  let hadOne = false;

  async function begin(): Promise<Session> {
    const { signal } = closing;
    const begun = await withRetry(attempt, { pauses: options.retryPauses, signal });
    const { session } = begun;
    if (signal.aborted) {
      await session.end(true);
      throw new AppError('call_cancelled');
    }
    held = begun;
    // Changes between two sessions were not announced.
    if (hadOne) options.onGap();
    hadOne = true;
    return session;
  }

  async function attempt(): Promise<Begun> {
    const mark = Symbol('session');
    const onLost = (): void => endHeld((begun) => begun.mark === mark);
    return { mark, session: await beginSession({ ...options, signal: closing.signal, onLost }) };
  }

  function endHeld(isLost: (begun: Begun) => boolean): void {
    if (held === null || !isLost(held)) return;
    const { session } = held;
    held = null;
    opening = null;
    void session.end(false);
    options.onLost();
  }

  return {
    /** Begins one if there is none. After a failure, the next caller begins again. */
    current(): Promise<Session> {
      if (closing.signal.aborted) return Promise.reject(new AppError('call_cancelled'));
      opening ??= begin().catch((failure: unknown) => {
        opening = null;
        throw failure;
      });
      return opening;
    },
    /** The service does not know this one any more. */
    lost: (lost: Session) => endHeld(({ session }) => session === lost),
    async dispose(): Promise<void> {
      if (closing.signal.aborted) return;
      const session = opening?.catch(() => null);
      closing.abort(new AppError('call_cancelled'));
      await (await session)?.end(true);
    },
  };
}
