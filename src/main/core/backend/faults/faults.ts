import { AsyncLocalStorage } from 'node:async_hooks';
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Clock } from '#core/platform/clock.ts';
import type { LoopbackHandler } from '#core/platform/loopback/listener.ts';
import type { Logger } from '#core/platform/logger.ts';
import { AppError, catalogue, type ErrorCode, refusalCodes } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { pathOf, type RequestLog } from '../http/create-app.ts';

type RefusedField = Record<'field' | 'code' | 'message', string>;

/** Selects the requests that a fault affects. A commit of the remote tools counts as a PUT of {@link commitRequest}. */
export interface FaultFilter {
  method?: string;
  path?: string;
  /** Matches only commits for this campaign. */
  cid?: number;
  lasts?: true;
}

export const commitRequest = { method: 'PUT', path: '/mcp/svc_commit' } as const satisfies FaultyRequest;

type FaultStatus = 400 | 401 | 402 | 403 | 404 | 409 | 421 | 422 | 429 | 500 | 503;

/** Parts that `/ready` checks (contract §4.3). */
export type ServicePart = 'oauth_storage' | 'durable_storage';

type RequestFault = FaultFilter &
  /** `errors` are the fields of a refusal of the member API (contract §7.1, 422). */
  (
    | { kind: 'answer'; status: FaultStatus; errors?: readonly RefusedField[] }
    | { kind: 'slow'; ms: number }
    /** Closes the connection without an answer; only for PUT requests by default. */
    | { kind: 'cut-after-write' }
    /** Calls `run` after the answer is made but before it is sent, to simulate a concurrent change between two reads. */
    | { kind: 'meanwhile'; run: () => unknown }
  );

/** Only code in this process can arm a fault; no HTTP route can. */
export type Fault = RequestFault | { kind: 'not-ready'; part: ServicePart };

interface FaultyRequest {
  method: string;
  path: string;
  cids?: readonly number[];
}

export interface Faults {
  /** The returned function disarms the fault unless a request has consumed it. */
  arm(fault: Fault): () => void;
  /** Returns and consumes a matching fault. A fault that lasts stays armed. */
  take<K extends RequestFault['kind']>(
    kind: K,
    request: FaultyRequest,
  ): Extract<RequestFault, { kind: K }> | undefined;
  has(fault: Fault): boolean;
  isArmed(kind: Fault['kind']): boolean;
  isFailing(part: ServicePart): boolean;
  readonly armed: number;
}

export function createFaults(initial: readonly Fault[] = []): Faults {
  const armed: Fault[] = [...initial];
  return {
    arm(fault) {
      armed.push(fault);
      return () => {
        const at = armed.indexOf(fault);
        if (at >= 0) armed.splice(at, 1);
      };
    },
    take(kind, request) {
      if (armed.length === 0) return undefined;
      const at = armed.findIndex((fault) => fault.kind === kind && matchesRequest(fault, request));
      const taken = armed[at];
      if (taken !== undefined && !('lasts' in taken)) armed.splice(at, 1);
      return taken as Extract<RequestFault, { kind: typeof kind }> | undefined;
    },
    has: (fault) => armed.includes(fault),
    isArmed: (kind) => armed.some((fault) => fault.kind === kind),
    isFailing: (part) => armed.some((fault) => fault.kind === 'not-ready' && fault.part === part),
    get armed() {
      return armed.length;
    },
  };
}

function matchesRequest(fault: Fault, { method, path, cids = [] }: FaultyRequest): boolean {
  if (fault.kind === 'not-ready') return false;
  if (fault.cid !== undefined && !cids.includes(fault.cid)) return false;
  const wanted = fault.method ?? (fault.kind === 'cut-after-write' ? 'PUT' : method);
  return wanted === method && path.includes(fault.path ?? '');
}

interface RequestScope {
  run(handle: () => void): void;
  isCut(): boolean;
}

/** Connects two layers: only the remote endpoint recognises a commit, but only the layer of faults can close the connection. */
interface CommitFaults {
  scope(): RequestScope;
  strike(args: JsonObject): void;
}

const refusals: Readonly<Record<FaultStatus, ErrorCode>> = {
  400: 'arguments_invalid',
  401: 'token_invalid',
  402: 'insufficient_balance',
  403: 'forbidden',
  404: 'object_not_found',
  409: 'state_moved',
  421: 'host_not_allowed',
  422: 'validation_failed',
  429: 'quota_exceeded',
  500: 'internal',
  503: 'not_ready',
};

const retryableStatuses: ReadonlySet<FaultStatus> = new Set([429, 503]);

export function createCommitFaults(faults: Faults): CommitFaults {
  const requests = new AsyncLocalStorage<{ isCut: boolean }>();
  return {
    scope() {
      const request = { isCut: false };
      return { run: (handle) => requests.run(request, handle), isCut: () => request.isCut };
    },
    strike({ payload }) {
      const asked: FaultyRequest = { ...commitRequest, cids: campaignsIn(payload) };
      const answer = faults.take('answer', asked);
      if (answer !== undefined) {
        const data = retryableStatuses.has(answer.status) ? { retryAfterSeconds: 1 } : {};
        throw new AppError(refusals[answer.status], { data });
      }
      const request = requests.getStore();
      if (request !== undefined) request.isCut = faults.take('cut-after-write', asked) !== undefined;
    },
  };
}

function campaignsIn(payload: JsonValue | undefined): number[] {
  if (!isJsonObject(payload)) return [];
  const { cid, ids } = payload;
  return (Array.isArray(ids) ? ids : [cid]).filter((id) => typeof id === 'number');
}

interface FaultHandlerOptions {
  handler: LoopbackHandler;
  faults: Faults;
  commits: CommitFaults;
  log: RequestLog;
  clock: Clock;
  logger: Logger;
  surfaceOf(path: string): Surface;
  challenge: string;
}

interface FaultContext extends FaultHandlerOptions {
  cut(): void;
}

export function withFaults(parts: FaultHandlerOptions): LoopbackHandler {
  const { faults, handler, log } = parts;
  return (request, response) => {
    const cut = log.watch(request, response);
    if (faults.armed === 0) handler(request, response);
    else strike(request, response, { ...parts, cut });
  };
}

function strike(request: IncomingMessage, response: ServerResponse, parts: FaultContext): void {
  const { faults, handler, surfaceOf, challenge } = parts;
  const asked = { method: request.method ?? '', path: pathOf(request.url ?? '') };
  const slow = faults.take('slow', asked);
  const answer = faults.take('answer', asked);
  const scope = parts.commits.scope();
  holdForFaults(response, { ...asked, isCutLater: scope.isCut }, parts);
  const proceed = (): void => {
    if (answer === undefined) scope.run(() => handler(request, response));
    else answerFault(response, { ...answer, surface: surfaceOf(asked.path), challenge });
  };
  if (slow === undefined) proceed();
  else
    parts.clock.after(slow.ms, () =>
      proceedDelayed(request, response, { go: proceed, logger: parts.logger }),
    );
}

function proceedDelayed(
  request: IncomingMessage,
  response: ServerResponse,
  { go, logger }: { go: () => void; logger: Logger },
): void {
  if (request.socket.destroyed) return;
  try {
    go();
  } catch (failure) {
    logger.error({ err: failure }, 'A delayed request failed');
    response.destroy();
  }
}

function holdForFaults(
  response: ServerResponse,
  asked: { method: string; path: string; isCutLater(): boolean },
  { faults, surfaceOf, cut, logger }: FaultContext,
): void {
  const meanwhile = faults.take('meanwhile', asked);
  const isCut = faults.take('cut-after-write', asked) !== undefined;
  // A remote call turns out to be a commit only while it runs, so its answer is held.
  const mayBeCut =
    asked.method === 'POST' && surfaceOf(asked.path) === 'mcp' && faults.isArmed('cut-after-write');
  if (meanwhile === undefined && !isCut && !mayBeCut) return;
  holdAnswer(response, async () => {
    const isDone = await runMeanwhile(meanwhile?.run, logger);
    if (isDone && !isCut && !asked.isCutLater()) return 'send';
    cut();
    return 'drop';
  });
}

async function runMeanwhile(run: (() => unknown) | undefined, logger: Logger): Promise<boolean> {
  try {
    await run?.();
    return true;
  } catch (failure) {
    logger.error({ err: failure }, 'The action of the fault “meanwhile” failed');
    return false;
  }
}

type FaultVerdict = 'send' | 'drop';

/** Holds an answer and its headers until `decide` resolves, which must not fail. `drop` closes the connection. */
function holdAnswer(response: ServerResponse, decide: () => Promise<FaultVerdict>): void {
  const { write, end, flushHeaders } = response;
  const held: (() => void)[] = [];
  let isHolding = false;
  const release = (verdict: FaultVerdict): void => {
    Object.assign(response, { write, end, flushHeaders });
    if (verdict === 'drop') response.req.socket.destroy();
    else for (const call of held) call();
  };
  const hold = (call: () => void): void => {
    held.push(call);
    if (isHolding) return;
    isHolding = true;
    void decide().then(release);
  };
  Object.assign(response, {
    flushHeaders: () => {},
    write: (...args: unknown[]) => {
      hold(() => void Reflect.apply(write, response, args));
      return true;
    },
    end: (...args: unknown[]) => {
      hold(() => void Reflect.apply(end, response, args));
      return response;
    },
  });
}

/** The format of error bodies: REST, the authorization server (RFC 6749 §5.2), or JSON-RPC. */
export type Surface = 'rest' | 'oauth' | 'mcp';

const oauthErrors: Readonly<Partial<Record<number, string>>> = {
  401: 'invalid_client',
  403: 'access_denied',
  429: 'temporarily_unavailable',
  500: 'server_error',
  503: 'temporarily_unavailable',
};

const remoteCodes: Readonly<Partial<Record<number, string>>> = {
  401: 'token_invalid',
  429: 'quota_exceeded',
  503: 'not_ready',
};

const serverError = -32_000;

interface FaultResponse {
  status: number;
  errors?: readonly RefusedField[];
  surface: Surface;
  challenge: string;
}

function answerFault(response: ServerResponse, { status, errors, surface, challenge }: FaultResponse): void {
  response.statusCode = status;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  if (status === 429 || status === 503) response.setHeader('retry-after', '1');
  if (status === 401) response.setHeader('www-authenticate', surface === 'mcp' ? challenge : 'Bearer');
  response.end(JSON.stringify(bodies[surface](status, errors)));
}

const bodies: Readonly<Record<Surface, (status: number, errors?: readonly RefusedField[]) => object>> = {
  rest(status, errors) {
    const code = refusalCodes[status];
    const message = code === undefined ? statusText(status) : catalogue[code].text;
    return { status: 'error', message, code: code ?? 'fault', ...(errors && { errors }) };
  },
  oauth: (status) => ({
    error: oauthErrors[status] ?? 'invalid_request',
    error_description: statusText(status),
  }),
  mcp: (status) => ({
    jsonrpc: '2.0',
    id: null,
    error: { code: serverError, message: statusText(status), data: { code: remoteCodes[status] ?? 'fault' } },
  }),
};

const statusText = (status: number): string => STATUS_CODES[status] ?? 'Error';
