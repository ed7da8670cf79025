import { readEvents, readText, UnreadableStream } from '#core/service-client/index.ts';

/**
 * The data of the first event that is the answer, where the body is an event stream, which may stay open; otherwise the
 * whole body. Empty where the stream ends without it, is too large or no UTF-8.
 */
export async function readEvent(response: Response, isAnswer: (data: string) => boolean): Promise<string> {
  const type = response.headers.get('content-type') ?? '';
  if (!/^text\/event-stream\b/i.test(type)) return readText(response);
  try {
    // Leaving the loop ends the stream.
    for await (const { type: kind, data } of readEvents(response)) {
      if (kind === 'message' && isAnswer(data)) return data;
    }
  } catch (failure) {
    if (!(failure instanceof UnreadableStream)) throw failure;
  }
  return '';
}
