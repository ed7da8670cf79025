import type { Logger } from '#core/platform/logger.ts';
import { AppError } from '#shared/errors/index.ts';
import { type CallOutcome, noAnswer } from '../exchange.ts';
import { readText, type HttpAnswer } from '#system/http/answer.ts';
import { assertSendable } from '#system/http/redaction.ts';
import { RequestFailure, sendRequest, type HttpRequest } from '#system/http/request.ts';
import type { RemoteAccess } from '../oauth/grants.ts';
import { refusalOfAnswer } from './failures.ts';

/** The endpoint of a service, and the access to it. */
export interface Endpoint {
  /** `{mcp_url}/mcp`: the only address to which the token goes (contract §5.3, step 6). */
  endpoint: string;
  access: RemoteAccess;
  logger: Logger;
  /** Called after every POST that was made. */
  observe?: ((outcome: CallOutcome) => void) | undefined;
  /** Shared by the sessions of one client. After a broken connection the idle ones may be broken, too: the next request takes none of them. */
  connections: { areSuspect: boolean };
}

export type Outgoing = Pick<HttpRequest, 'method' | 'headers' | 'body' | 'signal' | 'ownConnection'>;

/**
 * Makes one HTTP exchange with the token of now, and once more with another one where that was refused (401): a refused
 * request was not carried out. Redirects are never followed: they would carry the token elsewhere.
 *
 * Fails by contract §7.3, with the failures of the access, with `credential_missing` where the token cannot be sent, or with
 * `service_unreachable` or the fault of the network (`noAnswerCode`); `data.sent` says that the request may have been received all the same. Fails with the signal's reason
 * when it aborts.
 */
export async function exchange(endpoint: Endpoint, outgoing: Outgoing): Promise<HttpAnswer> {
  const { access } = endpoint;
  const token = await opening(access.token());
  const first = await send(endpoint, outgoing, token);
  if (first.status !== 401) return accepted(first);
  first.cancel();
  const renewed = await opening(access.renew(token));
  return accepted(await send(endpoint, outgoing, renewed));
}

/** The token. A renewal is another request than the one that was asked for, which was not sent, or was refused. */
async function opening(given: Promise<string>): Promise<string> {
  try {
    return await given;
  } catch (failure) {
    if (!(failure instanceof AppError) || failure.data['sent'] !== true) throw failure;
    const { code, message, data } = failure;
    throw new AppError(code, { message, data: { ...data, sent: false }, cause: failure });
  }
}

async function send(
  { endpoint, logger, observe, connections }: Endpoint,
  outgoing: Outgoing,
  token: string,
): Promise<HttpAnswer> {
  const { method, headers, signal } = outgoing;
  signal.throwIfAborted();
  assertSendable(token);
  const startedAt = performance.now();
  const report = (ready: boolean): void => {
    if (method === 'POST') observe?.({ ready, latencyMs: performance.now() - startedAt });
  };
  try {
    const answer = await sendRequest({
      ...outgoing,
      url: new URL(endpoint),
      headers: { ...headers, authorization: `Bearer ${token}` },
      credential: token,
      ownConnection: connections.areSuspect || outgoing.ownConnection === true,
    });
    connections.areSuspect = false;
    report(answer.status < 500);
    return answer;
  } catch (failure) {
    signal.throwIfAborted();
    if (!(failure instanceof RequestFailure)) throw failure;
    report(false);
    connections.areSuspect = !failure.isLate;
    const { sent, cause } = failure;
    // The stream of GET comes back by itself, again and again.
    if (method !== 'GET') logger.warn({ method, cause }, 'The remote tools gave no answer');
    throw noAnswer(failure, { sent });
  }
}

/** The answer, if it does not refuse. */
async function accepted(answer: HttpAnswer): Promise<HttpAnswer> {
  const { status, headers, conceal } = answer;
  if (status >= 200 && status < 300) return answer;
  throw refusalOfAnswer({ status, headers, text: await wordsOf(answer), conceal });
}

/** A refusal whose words cannot be read is one all the same. */
async function wordsOf(answer: HttpAnswer): Promise<string> {
  try {
    return await readText(answer);
  } catch {
    return '';
  }
}
