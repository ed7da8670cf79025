import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LoopbackHandler } from '#core/platform/loopback/index.ts';
import type { Logger } from '#core/platform/logger.ts';
import { pathOf } from '../http/request-log.ts';
import type { RequestLog } from '../http/request-log.ts';
import { answerFault } from './fault-answer.ts';
import type { Surface } from './fault-answer.ts';
import type { Faults } from './faults.ts';
import { holdAnswer } from './hold-answer.ts';

/** What stands behind the faults, and what they need to know of it. */
export interface FaultyParts {
  handler: LoopbackHandler;
  faults: Faults;
  log: RequestLog;
  logger: Logger;
  surfaceOf(path: string): Surface;
  /** `WWW-Authenticate` of the remote endpoint. */
  challenge: string;
}

/** One request that meets at least one armed fault, fitting or not. */
interface FacedParts extends FaultyParts {
  /** Says that the answer never leaves. */
  cut(): void;
}

/**
 * Writes every request down and lets armed faults happen to it, whoever answers: before the handler, or between its
 * answer and the wire. Which faults a request has is settled when it arrives.
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
  holdForFaults(response, asked, parts);
  const go = (): void => {
    if (answer === undefined) handler(request, response);
    else answerFault(response, { status: answer.status, surface: surfaceOf(asked.path), challenge });
  };
  if (slow === undefined) go();
  else setTimeout(goLater, slow.ms, request, response, { go, logger: parts.logger });
}

/** Nobody stands behind a timer to catch what a handler throws. */
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
  asked: { method: string; path: string },
  { faults, cut, logger }: FacedParts,
): void {
  const meanwhile = faults.take('meanwhile', asked);
  const isCut = faults.take('cut-after-write', asked) !== undefined;
  if (meanwhile === undefined && !isCut) return;
  holdAnswer(response, async () => {
    const isDone = await runMeanwhile(meanwhile?.run, logger);
    if (isDone && !isCut) return 'send';
    cut();
    return 'drop';
  });
}

/** False when it failed: then whoever armed it hears of it by a connection that ends, and by the log. */
async function runMeanwhile(run: (() => unknown) | undefined, logger: Logger): Promise<boolean> {
  try {
    await run?.();
    return true;
  } catch (failure) {
    logger.error({ err: failure }, 'What was to happen meanwhile failed');
    return false;
  }
}
