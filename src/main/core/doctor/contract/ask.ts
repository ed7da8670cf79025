import { readText } from '#core/service-client/index.ts';
import { readEvent } from './event-stream.ts';
import { Drift, Exhausted, NotChecked } from './outcome.ts';

export interface Question {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  headers?: Record<string, string>;
  body?: string;
  /** Of an event stream: which event is the answer. */
  isAnswer?(data: string): boolean;
}

export interface Answer {
  status: number;
  headers: Headers;
  /** The whole body, or the event that is the answer; empty where it is too large or no UTF-8. */
  text: string;
}

/**
 * One request over plain HTTP. Nothing is followed or parsed, so that no drift is smoothed over. Throws `NotChecked`
 * without an answer, `Drift` for a redirect, `Exhausted` after a 429 and beyond the number of requests that may leave.
 */
export type Ask = (question: Question) => Promise<Answer>;

export interface AskOptions {
  signal: AbortSignal;
  timeoutMs: number;
  /** So many requests leave at most. */
  mostRequests: number;
  /** Whether a PUT may leave at all. */
  mayWrite: boolean;
}

export function createAsk({ signal, timeoutMs, mostRequests, mayWrite }: AskOptions): Ask {
  /** Origins that gave no answer: nobody waits for them again and again. */
  const silent = new Set<string>();
  let asked = 0;
  const attempt = async ({ method, url, headers, body, isAnswer }: Question): Promise<Answer> => {
    if (asked >= mostRequests) {
      throw new Exhausted(
        `${mostRequests} requests have been made, which is as many as an examination may make.`,
      );
    }
    asked += 1;
    const response = await fetch(url, {
      method,
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      ...(headers === undefined ? {} : { headers }),
      ...(body === undefined ? {} : { body }),
    });
    const text = isAnswer === undefined ? await readText(response) : await readEvent(response, isAnswer);
    return { status: response.status, headers: response.headers, text };
  };
  return async (question) => {
    if (question.method === 'PUT' && !mayWrite) throw new Error('A check that only reads may not write');
    const { origin } = new URL(question.url);
    if (silent.has(origin)) throw new NotChecked('The service stopped answering.');
    let answer;
    try {
      answer = await patiently(question, attempt);
    } catch (failure) {
      if (failure instanceof NotChecked || signal.aborted) throw failure;
      if (isRedirect(failure))
        throw new Drift('Expected an answer; came a redirect, which is never followed.');
      silent.add(origin);
      throw new NotChecked(isTimeout(failure) ? 'No answer came in time.' : 'The connection failed.');
    }
    if (answer.status === 429) throw new Exhausted('The service asks for fewer requests (429).');
    return answer;
  };
}

/** A connection that broke, an idle one that the server closed say, is tried once more where nothing can be done twice. */
async function patiently(question: Question, attempt: Ask): Promise<Answer> {
  try {
    return await attempt(question);
  } catch (failure) {
    const isBroken = failure instanceof TypeError && !isRedirect(failure);
    if (question.method !== 'GET' || !isBroken) throw failure;
  }
  return attempt(question);
}

function isTimeout(failure: unknown): boolean {
  return failure instanceof DOMException && failure.name === 'TimeoutError';
}

/** As Node's `fetch` says that it was not to follow. */
function isRedirect(failure: unknown): boolean {
  return (
    failure instanceof Error &&
    failure.cause instanceof Error &&
    failure.cause.message === 'unexpected redirect'
  );
}
