import { AppError, decodeError, type EncodedError } from '#shared/errors/index.ts';
import { secretHeader, sessionSecret } from './session-secret.ts';

/** Fails with `not_signed_in` without a secret, and with `core_unreachable`. */
export async function postToHost(path: string, input: unknown): Promise<Response> {
  const secret = sessionSecret();
  if (secret === null) throw new AppError('not_signed_in');
  try {
    return await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [secretHeader]: secret },
      body: JSON.stringify(input),
      redirect: 'error',
      cache: 'no-store',
    });
  } catch (cause) {
    throw new AppError('core_unreachable', { cause });
  }
}

/** Fails with the host's failure, or with `core_unreachable` if the answer was cut off. */
export async function outputOf(response: Response): Promise<unknown> {
  const answer = (await response.json().catch(() => null)) as {
    output?: unknown;
    error?: EncodedError;
  } | null;
  if (response.ok && answer === null) throw new AppError('core_unreachable');
  if (response.ok) return answer?.output;
  throw answer?.error ? decodeError(answer.error) : new AppError('internal');
}

/** Longer than two of the host's blank lines, which come every 15 s. */
const silenceMs = 40_000;

export interface StreamOptions {
  path: string;
  secret: string;
  onOpen?: () => void;
  onItem: (item: unknown) => void;
  signal?: AbortSignal;
}

/** Reads one JSON object per line until the stream ends or falls silent. Fails with `not_signed_in` if the secret is refused. */
export async function readStream({ path, secret, onOpen, onItem, signal }: StreamOptions): Promise<void> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), silenceMs);
  try {
    const response = await fetch(path, {
      headers: { [secretHeader]: secret },
      signal: signal ? AbortSignal.any([silence.signal, signal]) : silence.signal,
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
