import type { AppEvent } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { secretHeader } from './session-secret.ts';

/** Longer than two of the host's blank lines, which come every 15 s. */
const silenceMs = 40_000;

export interface EventStreamOptions {
  secret: string;
  onOpen: () => void;
  onEvent: (event: AppEvent) => void;
}

/**
 * Reads the host's events, one JSON object per line, until the stream ends or falls silent.
 * Fails with `not_signed_in` when the host refuses the secret; resolves or fails otherwise when the stream is gone.
 */
export async function readEventStream({ secret, onOpen, onEvent }: EventStreamOptions): Promise<void> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), silenceMs);
  try {
    const response = await fetch('/events', {
      headers: { [secretHeader]: secret },
      signal: silence.signal,
      redirect: 'error',
      cache: 'no-store',
    });
    if (response.status === 401) throw new AppError('not_signed_in');
    if (!response.ok || !response.body) throw new AppError('core_unreachable');
    onOpen();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), silenceMs);
      const lines = (rest + value).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.trim() !== '') onEvent(JSON.parse(line) as AppEvent);
    }
  } finally {
    clearTimeout(timer);
  }
}
