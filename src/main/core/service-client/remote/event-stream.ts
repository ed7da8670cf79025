import { maxAnswerBytes } from '#system/http/answer.ts';

/** One event of a stream; an event without data still moves the place from which the stream can be resumed. */
export interface StreamEvent {
  /** Where the stream can be resumed after this event; null where the event names no place. */
  id: string | null;
  /** `message` unless the service says another. */
  type: string;
  data: string;
  /** Delay before reconnecting, if the event names one. */
  retryMs: number | null;
}

/** The text is not UTF-8, or one event is larger than the largest answer. */
export class UnreadableStream extends Error {}

/**
 * Reads a stream of server-sent events (HTML Standard §9.2) while it comes. An event that the stream's end cuts off is not
 * given. Fails with `UnreadableStream`, and as the connection does; leaving the loop ends the stream.
 */
export async function* readEvents({
  body,
}: {
  body: AsyncIterable<Uint8Array> | null;
}): AsyncGenerator<StreamEvent, void> {
  if (body === null) return;
  let fields = noFields();
  for await (const line of readLines(body)) {
    if (line !== '') {
      takeField(fields, line);
      continue;
    }
    if (fields.seen) yield eventOf(fields);
    fields = noFields();
  }
}

interface Fields {
  seen: boolean;
  id: string | null;
  type: string;
  data: string[];
  size: number;
  retryMs: number | null;
}

function noFields(): Fields {
  return { seen: false, id: null, type: '', data: [], size: 0, retryMs: null };
}

function eventOf({ id, type, data, retryMs }: Fields): StreamEvent {
  return { id, type: type === '' ? 'message' : type, data: data.join('\n'), retryMs };
}

function takeField(fields: Fields, line: string): void {
  fields.size += line.length;
  if (fields.size > maxAnswerBytes) throw tooLarge();
  const colon = line.indexOf(':');
  if (colon === 0) return;
  const name = colon < 0 ? line : line.slice(0, colon);
  const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
  switch (name) {
    case 'data':
      fields.data.push(value);
      break;
    case 'event':
      fields.type = value;
      break;
    case 'id':
      if (value.includes('\0')) return;
      fields.id = value;
      break;
    case 'retry':
      if (!/^\d{1,15}$/.test(value)) return;
      fields.retryMs = Number(value);
      break;
    default:
      return;
  }
  fields.seen = true;
}

/** Lines without their ends, which are CRLF, LF or CR and may lie across two pieces. What no end follows is left out. */
async function* readLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decode = createDecode();
  let pieces: string[] = [];
  let size = 0;
  let endedWithReturn = false;
  for await (const bytes of body) {
    const decoded = decode(bytes);
    if (decoded === '') continue;
    const text = endedWithReturn && decoded.startsWith('\n') ? decoded.slice(1) : decoded;
    endedWithReturn = decoded.endsWith('\r');
    const [first = '', ...further] = text.split(text.includes('\r') ? /\r\n|\n|\r/ : '\n');
    pieces.push(first);
    size += first.length;
    if (size > maxAnswerBytes) throw tooLarge();
    for (const next of further) {
      yield pieces.join('');
      pieces = [next];
      size = next.length;
    }
  }
}

/** Text of pieces that follow each other; a character may lie across two of them. */
function createDecode(): (bytes: Uint8Array) => string {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return (bytes) => {
    try {
      return decoder.decode(bytes, { stream: true });
    } catch (cause) {
      throw new UnreadableStream('The stream is not UTF-8', { cause });
    }
  };
}

function tooLarge(): Error {
  return new UnreadableStream('An event of the stream is larger than the largest answer');
}
