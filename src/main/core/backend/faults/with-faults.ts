import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Clock } from '#core/platform/clock.ts';
import type { LoopbackHandler } from '#core/platform/loopback/listener.ts';
import type { Logger } from '#core/platform/logger.ts';
import { catalogue, refusalCodes } from '#shared/errors/index.ts';
import { pathOf, type RequestLog } from '../http/create-app.ts';
import type { CommitFaults, Faults, RefusedField } from './faults.ts';

interface FaultyParts {
  handler: LoopbackHandler;
  faults: Faults;
  commits: CommitFaults;
  log: RequestLog;
  clock: Clock;
  logger: Logger;
  surfaceOf(path: string): Surface;
  /** `WWW-Authenticate` of the remote endpoint. */
  challenge: string;
}

interface FacedParts extends FaultyParts {
  cut(): void;
}

/**
 * Logs every request and applies armed faults to it, chosen when it arrives: before the handler, or before its answer is
 * sent.
 */
export function withFaults(parts: FaultyParts): LoopbackHandler {
  const { faults, handler, log } = parts;
  return (request, response) => {
    const cut = log.watch(request, response);
    if (faults.armed === 0) handler(request, response);
    else strike(request, response, { ...parts, cut });
  };
}

function strike(request: IncomingMessage, response: ServerResponse, parts: FacedParts): void {
  const { faults, handler, surfaceOf, challenge } = parts;
  const asked = { method: request.method ?? '', path: pathOf(request.url ?? '') };
  const slow = faults.take('slow', asked);
  const answer = faults.take('answer', asked);
  const scope = parts.commits.scope();
  holdForFaults(response, { ...asked, isCutLater: scope.isCut }, parts);
  const go = (): void => {
    if (answer === undefined) scope.run(() => handler(request, response));
    else answerFault(response, { ...answer, surface: surfaceOf(asked.path), challenge });
  };
  if (slow === undefined) go();
  else parts.clock.after(slow.ms, () => goLater(request, response, { go, logger: parts.logger }));
}

function goLater(
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
  { faults, surfaceOf, cut, logger }: FacedParts,
): void {
  const meanwhile = faults.take('meanwhile', asked);
  const isCut = faults.take('cut-after-write', asked) !== undefined;
  // Of a call of the remote tools it is known later if it is a commit.
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
    logger.error({ err: failure }, 'What was to happen meanwhile failed');
    return false;
  }
}

type FaultVerdict = 'send' | 'drop';

/**
 * Holds every byte of an answer back, headers of a stream included, until `decide` has settled; a dropped answer takes
 * the connection with it. `decide` must not fail.
 */
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

/** The format of an address's error bodies: REST, the authorization server (RFC 6749 §5.2), or JSON-RPC. */
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

/** JSON-RPC leaves this code to the server. */
const serverError = -32_000;

interface RefusedByFault {
  status: number;
  errors?: readonly RefusedField[];
  surface: Surface;
  challenge: string;
}

function answerFault(response: ServerResponse, { status, errors, surface, challenge }: RefusedByFault): void {
  response.statusCode = status;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  if (status === 429 || status === 503) response.setHeader('retry-after', '1');
  if (status === 401) response.setHeader('www-authenticate', surface === 'mcp' ? challenge : 'Bearer');
  response.end(JSON.stringify(bodies[surface](status, errors)));
}

const bodies: Readonly<Record<Surface, (status: number, errors?: readonly RefusedField[]) => object>> = {
  rest(status, errors) {
    const code = refusalCodes[status];
    const message = code === undefined ? nameOf(status) : catalogue[code].text;
    return { status: 'error', message, code: code ?? 'fault', ...(errors && { errors }) };
  },
  oauth: (status) => ({
    error: oauthErrors[status] ?? 'invalid_request',
    error_description: nameOf(status),
  }),
  mcp: (status) => ({
    jsonrpc: '2.0',
    id: null,
    error: { code: serverError, message: nameOf(status), data: { code: remoteCodes[status] ?? 'fault' } },
  }),
};

const nameOf = (status: number): string => STATUS_CODES[status] ?? 'Error';
