import {
  type HttpAnswer,
  isRedirect,
  maxAnswerBytes,
  readBytes,
  readEvents,
  RequestFailure,
  sendRequest,
  textOf,
  UnreadableStream,
  withDeadline,
} from '#core/service-client/index.ts';
import type { ServiceAddresses } from '#shared/app-api/index.ts';
import { redirectPlace } from '../answers/no-answer.ts';
import {
  type CheckContext,
  type CheckedAnswer,
  closing,
  type Drift,
  drift,
  type MemberReads,
  notChecked,
  type PublisherReads,
} from './check.ts';

interface ContractRequest {
  method: 'GET' | 'POST' | 'DELETE';
  url: string;
  headers?: Record<string, string>;
  body?: string;
  isAnswer?(data: string): boolean;
}

/**
 * Does not follow redirects and parses nothing. Throws `NotChecked` without an answer,
 * after a 429, and beyond the maximum number of requests. Throws `Drift` for a redirect.
 */
export type Ask = (question: ContractRequest) => Promise<CheckedAnswer>;

interface AskOptions {
  signal: AbortSignal;
  timeoutMs: number;
  maxRequests: number;
  onText(path: string, hasMark: boolean): void;
}

export function createAsk({ signal, timeoutMs, maxRequests, onText }: AskOptions): Ask {
  const silent = new Set<string>();
  let asked = 0;
  const attempt = async (
    { method, url, headers = {}, body, isAnswer }: ContractRequest,
    signal: AbortSignal,
  ): Promise<CheckedAnswer> => {
    if (asked >= maxRequests) {
      throw closing(
        'all',
      )`${maxRequests} requests have been made, which is as many as an examination may make.`;
    }
    asked += 1;
    const response = await sendRequest({
      method,
      url: new URL(url),
      headers,
      body,
      credential: null,
      compressed: true,
      redirects: 'answer',
      signal,
    });
    const { status, headers: answered } = response;
    if (isRedirect(response)) {
      response.cancel();
      throw redirected(redirectPlace({ headers: answered }));
    }
    const event = isAnswer === undefined ? null : await readEvent(response, isAnswer);
    if (event !== null) return { status, headers: answered, text: event };
    const bytes = (await readBytes(response, maxAnswerBytes)) ?? Buffer.of();
    const text = textOf(bytes);
    onText(new URL(url).pathname, hasByteOrderMark(bytes) && /^\s*[{[]/u.test(text));
    return { status, headers: answered, text };
  };
  return async (question) => {
    const { origin } = new URL(question.url);
    if (silent.has(origin)) throw notChecked`The service stopped answering.`;
    let answer;
    try {
      answer = await askAgainIfBroken(question, (request) =>
        withDeadline(timeoutMs, [signal], (signal) => attempt(request, signal)),
      );
    } catch (failure) {
      signal.throwIfAborted();
      if (!(failure instanceof RequestFailure)) throw failure;
      silent.add(origin);
      throw failure.isLate ? notChecked`No answer came in time.` : notChecked`The connection failed.`;
    }
    if (answer.status === 429) throw closing('all')`The service asks for fewer requests (429).`;
    return answer;
  };
}

function redirected(place: string | null): Drift {
  return place === null
    ? drift`Expected an answer; came a redirect, which is never followed.`
    : drift`Expected an answer; came a redirect to ${place}, which is never followed.`;
}

function hasByteOrderMark(bytes: Buffer): boolean {
  return bytes.subarray(0, 3).equals(Buffer.of(0xef, 0xbb, 0xbf));
}

/** Retries a GET once after a broken connection, because the server may have closed an idle one. */
async function askAgainIfBroken(question: ContractRequest, attempt: Ask): Promise<CheckedAnswer> {
  try {
    return await attempt(question);
  } catch (failure) {
    const isBroken = failure instanceof RequestFailure && !failure.isLate;
    if (question.method !== 'GET' || !isBroken) throw failure;
  }
  return attempt(question);
}

/**
 * The answer in an event stream, which the service need not close; null for any other body. Empty if the stream ends without
 * the answer, is too large, or is not UTF-8.
 */
async function readEvent(response: HttpAnswer, isAnswer: (data: string) => boolean): Promise<string | null> {
  const type = response.headers.get('content-type') ?? '';
  if (!/^text\/event-stream\b/i.test(type)) return null;
  try {
    for await (const { type: kind, data } of readEvents(response)) {
      if (kind === 'message' && isAnswer(data)) return data;
    }
  } catch (failure) {
    if (!(failure instanceof UnreadableStream)) throw failure;
  }
  return '';
}

const campaigns = '/login/campaigns';

export function createMemberReads(
  ask: Ask,
  { baseUrl }: Pick<ServiceAddresses, 'baseUrl'>,
  token: string | null,
): MemberReads {
  return {
    get: (path, { bearer = token } = {}) =>
      ask({ method: 'GET', url: `${baseUrl}${campaigns}${path}`, headers: headersOf(bearer) }),
  };
}

export function createPublisherReads(
  ask: Ask,
  { apiUrl }: Pick<ServiceAddresses, 'apiUrl'>,
  key: string | null,
): PublisherReads {
  return {
    get(path, query, { token = key, bearer } = {}) {
      const search = new URLSearchParams(token === null ? query : { token, ...query });
      return ask({
        method: 'GET',
        url: `${apiUrl}${path}?${search.toString()}`,
        headers: headersOf(bearer ?? null),
      });
    },
  };
}

export function createOpenReads(ask: Ask): CheckContext['open'] {
  return { get: (url) => ask({ method: 'GET', url, headers: headersOf(null) }) };
}

function headersOf(bearer: string | null): Record<string, string> {
  return { accept: 'application/json', ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }) };
}
