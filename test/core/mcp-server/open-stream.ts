import { requestOf } from './open-endpoint.ts';
import type { RpcAnswer, SendOptions } from './open-endpoint.ts';

export interface StreamMessage extends RpcAnswer {
  method?: string;
  params?: Record<string, never>;
}

/** An open stream of the endpoint. */
export interface OpenStream {
  status: number;
  headers: Headers;
  /** The id of the latest event, also of the opening event. */
  readonly lastEventId: string | undefined;
  /** Resolves with the next message. Fails if the stream has ended. */
  next(): Promise<StreamMessage>;
  /** Resolves with the other messages once the stream has ended. */
  rest(): Promise<StreamMessage[]>;
  /** Reads the opening event of a resumable stream. */
  opening(): Promise<void>;
  /** Disconnects, as a client that exits does. */
  leave(): void;
}

/** Sends one request, and opens the stream of its answer. */
export async function openStream(url: string, sending: SendOptions): Promise<OpenStream> {
  const leaving = new AbortController();
  const answer = await fetch(url, requestOf({ ...sending, signal: leaving.signal }));
  const events = readEvents(answer);
  let lastEventId: string | undefined;
  const nextEvent = async (): Promise<string | null> => {
    const { value, done } = await events.next();
    if (done === true) return null;
    lastEventId = /^id: (.+)$/m.exec(value)?.[1] ?? lastEventId;
    return /^data: (.*)$/m.exec(value)?.[1] ?? '';
  };
  const nextMessage = async (): Promise<StreamMessage | null> => {
    for (let data = await nextEvent(); data !== null; data = await nextEvent()) {
      if (data !== '') return JSON.parse(data) as StreamMessage;
    }
    return null;
  };
  return {
    status: answer.status,
    headers: answer.headers,
    get lastEventId() {
      return lastEventId;
    },
    async next() {
      const message = await nextMessage();
      if (message === null) throw new Error('The stream has ended');
      return message;
    },
    async rest() {
      const all: StreamMessage[] = [];
      for (let next = await nextMessage(); next !== null; next = await nextMessage()) all.push(next);
      return all;
    },
    opening: async () => void (await nextEvent()),
    leave: () => leaving.abort(),
  };
}

/** The texts of the events, without comments. */
async function* readEvents(answer: Response): AsyncGenerator<string, void> {
  if (answer.body === null) return;
  let text = '';
  for await (const part of answer.body.pipeThrough(new TextDecoderStream())) {
    const events = (text + part).split('\n\n');
    text = events.pop() ?? '';
    yield* events.filter((event) => !event.startsWith(':'));
  }
}
