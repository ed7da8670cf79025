import type { Logger } from '#core/platform/logger.ts';
import { AppError } from '#shared/errors/index.ts';
import type { CallOutcome } from '../call.ts';
import type { RemoteAccess } from '../oauth/index.ts';
import { concealing } from '../conceal.ts';
import { outlineOf } from '../outline.ts';
import { readText } from '../read-text.ts';
import { assertSendable } from '../sendable.ts';
import { refusalOfAnswer } from './refusal-of-answer.ts';
import { connectTimeout, sendRequest, type SentRequest, type ServiceAnswer } from './send-request.ts';

/** The endpoint, and what opens it. */
export interface Door {
  /** `{mcp_url}/mcp`: the only address to which the token goes (contract §5.3, step 6). */
  endpoint: string;
  access: RemoteAccess;
  logger: Logger;
  /** Told about every POST that left. */
  observe?: ((outcome: CallOutcome) => void) | undefined;
}

export type Outgoing = SentRequest;

/** An answer that does not refuse. */
export interface Accepted {
  response: ServiceAnswer;
  /** Blanks the token of its request in words that the service says. */
  conceal(text: string): string;
}

/** What Node says of a connection that was never made: nothing has left. */
const neverConnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  connectTimeout,
]);

/**
 * Makes one HTTP exchange with the token of now, and once more with another one where that was refused (401): a refused
 * request was not carried out. Redirects are never followed: they would carry the token elsewhere.
 *
 * Fails by contract §7.3, with the failures of the access, with `credential_missing` where the token cannot be sent, or with
 * `service_unreachable`; `data.sent` says that the request may have been received all the same. Fails with the signal's reason
 * when it aborts.
 */
export async function exchange(door: Door, outgoing: Outgoing): Promise<Accepted> {
  const { access } = door;
  const token = await opening(access.token());
  const first = await send(door, outgoing, token);
  if (first.status !== 401) return accepted(first, token);
  first.cancel();
  const renewed = await opening(access.renew(token));
  return accepted(await send(door, outgoing, renewed), renewed);
}

/** What the access asks to renew itself is not the request, which has not left, or was refused. */
async function opening(given: Promise<string>): Promise<string> {
  try {
    return await given;
  } catch (failure) {
    if (!(failure instanceof AppError) || failure.data['sent'] !== true) throw failure;
    const { code, message, data } = failure;
    throw new AppError(code, { message, data: { ...data, sent: false }, cause: failure });
  }
}

async function send(door: Door, outgoing: Outgoing, token: string): Promise<ServiceAnswer> {
  const { endpoint, logger, observe } = door;
  const { method, headers, signal } = outgoing;
  signal.throwIfAborted();
  assertSendable(token);
  const startedAt = performance.now();
  const tell = (ready: boolean): void => {
    if (method === 'POST') observe?.({ ready, latencyMs: performance.now() - startedAt });
  };
  try {
    const opened = { ...headers, authorization: `Bearer ${token}` };
    const response = await sendRequest(endpoint, { ...outgoing, headers: opened });
    tell(response.status < 500);
    return response;
  } catch (failure) {
    signal.throwIfAborted();
    tell(false);
    const cause = outlineOf(failure, concealing(token));
    // The stream of GET comes back by itself, again and again.
    if (method !== 'GET') logger.warn({ method, cause }, 'The remote tools gave no answer');
    throw new AppError('service_unreachable', { data: { sent: !wasNeverSent(cause) }, cause });
  }
}

/** The answer, where it is none that refuses. */
async function accepted(response: ServiceAnswer, token: string): Promise<Accepted> {
  const { status } = response;
  const conceal = concealing(token);
  if (status >= 200 && status < 300) return { response, conceal };
  throw refusalOfAnswer({ status, headers: response.headers, text: await wordsOf(response), conceal });
}

/** A refusal whose words cannot be read is one all the same. */
async function wordsOf(response: ServiceAnswer): Promise<string> {
  try {
    return await readText(response);
  } catch {
    return '';
  }
}

function wasNeverSent(failure: unknown): boolean {
  for (let cause = failure; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && neverConnected.has(String(cause.code))) return true;
  }
  return false;
}
