import { readText } from '#core/service-client/index.ts';

/** So much of a stream is read, in characters. */
const mostCharacters = 32 * 1024 * 1024;

/**
 * The data of the first event that is the answer, where the body is an event stream, which may stay open; otherwise the
 * whole body. Empty where the stream ends without it.
 */
export async function readEvent(response: Response, isAnswer: (data: string) => boolean): Promise<string> {
  const type = response.headers.get('content-type') ?? '';
  if (!/^text\/event-stream\b/i.test(type)) return readText(response);
  const decoder = new TextDecoder('utf-8');
  let rest = '';
  let size = 0;
  for await (const chunk of response.body ?? []) {
    const text = decoder.decode(chunk as Uint8Array, { stream: true });
    size += text.length;
    if (size > mostCharacters) return '';
    const events = (rest + text).split(/\r\n\r\n|\n\n|\r\r/);
    rest = events.pop() ?? '';
    // Leaving the loop ends the stream.
    for (const event of events) if (isAnswer(dataOf(event))) return dataOf(event);
  }
  return '';
}

function dataOf(event: string): string {
  return event
    .split(/\r\n|\n|\r/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).replace(/^ /, ''))
    .join('\n');
}
