import { AppError, decodeError, type EncodedError } from '#shared/errors/index.ts';

const key = 'countersign.session';

/** A header instead of a cookie, because 127.0.0.1 shares cookies between ports. */
const secretHeader = 'x-countersign-secret';

/**
 * Removes the one-time ticket (`#ticket=…`) from the address, so that no history or copied address contains it. Returns
 * the ticket.
 */
export function takeTicket(): string | null {
  const ticket = new URLSearchParams(location.hash.slice(1)).get('ticket');
  if (ticket !== null) history.replaceState(null, '', location.pathname + location.search);
  return ticket;
}

/** The secret survives a reload and ends with the tab. */
export const sessionSecret = (): string | null => sessionStorage.getItem(key);

export const forgetSecret = (): void => sessionStorage.removeItem(key);

/** Exchanges the ticket in the address for a secret. Fails with `not_signed_in` or `core_unreachable`. */
export async function exchangeTicket(): Promise<void> {
  const ticket = takeTicket();
  if (ticket === null) return;
  const response = await post('/session', { ticket }, null);
  if (response.ok) sessionStorage.setItem(key, ((await response.json()) as { secret: string }).secret);
  else if (sessionSecret() === null) throw new AppError('not_signed_in');
}

/** Posts to this page's own host. Fails with `core_unreachable`. */
export async function post(path: string, body: unknown, secret: string | null): Promise<Response> {
  try {
    return await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(secret === null ? {} : { [secretHeader]: secret }) },
      body: JSON.stringify(body),
      redirect: 'error',
      cache: 'no-store',
    });
  } catch (cause) {
    throw new AppError('core_unreachable', { cause });
  }
}

/** Like `post`, with this tab's secret. Fails with `not_signed_in` without one. */
export async function postToHost(path: string, input: unknown): Promise<Response> {
  const secret = sessionSecret();
  if (secret === null) throw new AppError('not_signed_in');
  return post(path, input, secret);
}

/** The JSON of an answer. Null if it was cut off. Fails with the host's failure. */
export async function answerOf(response: Response): Promise<unknown> {
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer;
  const { error } = (answer ?? {}) as { error?: EncodedError };
  throw error ? decodeError(error) : new AppError(response.status === 401 ? 'not_signed_in' : 'internal');
}

/** The output in an answer. Fails with the host's failure, or with `core_unreachable` if the answer was cut off. */
export async function outputOf(response: Response): Promise<unknown> {
  const answer = (await answerOf(response)) as { output?: unknown } | null;
  if (answer === null) throw new AppError('core_unreachable');
  return answer.output;
}

/** Must be longer than two intervals of the host's blank lines, which it sends every 15 s. */
const silenceMs = 40_000;

export interface StreamOptions {
  path: string;
  secret: string;
  onOpen?: () => void;
  onItem: (item: unknown) => void;
  signal: AbortSignal;
}

/**
 * Reads one JSON object per line until the stream ends. Rejects if it breaks or is silent, with `not_signed_in` for a refused
 * secret.
 */
export async function readStream({ path, secret, onOpen, onItem, signal }: StreamOptions): Promise<void> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), silenceMs);
  try {
    const response = await fetch(path, {
      headers: { [secretHeader]: secret },
      signal: AbortSignal.any([silence.signal, signal]),
      redirect: 'error',
      cache: 'no-store',
    });
    if (response.status === 401) throw new AppError('not_signed_in');
    if (!response.ok || !response.body) throw new AppError('core_unreachable');
    onOpen?.();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), silenceMs);
      const lines = (rest + value).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.trim() !== '') onItem(JSON.parse(line));
    }
  } finally {
    clearTimeout(timer);
  }
}
