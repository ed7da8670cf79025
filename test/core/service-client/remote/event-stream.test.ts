import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readEvents, type StreamEvent } from '#core/service-client/remote/streams.ts';

function streamOf(pieces: readonly Uint8Array[]): Response {
  return new Response(
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(piece);
        controller.close();
      },
    }),
  );
}

async function read(...pieces: (string | Uint8Array)[]): Promise<StreamEvent[]> {
  const bytes = pieces.map((piece) => (typeof piece === 'string' ? new TextEncoder().encode(piece) : piece));
  const events: StreamEvent[] = [];
  for await (const one of readEvents(streamOf(bytes))) events.push(one);
  return events;
}

function event(data: string, more: Partial<StreamEvent> = {}): StreamEvent {
  return { id: null, type: 'message', data, retryMs: null, ...more };
}

test.each<[what: string, text: string, expected: StreamEvent[]]>([
  ['one event', 'data: one\n\n', [event('one')]],
  ['no space after the colon', 'data:one\n\n', [event('one')]],
  ['only the first space after the colon is removed', 'data:  one\n\n', [event(' one')]],
  ['several lines of data', 'data: one\ndata: two\n\n', [event('one\ntwo')]],
  ['CRLF', 'data: one\r\n\r\ndata: two\r\n\r\n', [event('one'), event('two')]],
  ['CR', 'data: one\r\rdata: two\r\r', [event('one'), event('two')]],
  ['a byte order mark', '\uFEFFdata: one\n\n', [event('one')]],
  ['comments', ': keep-alive\n\n: another\ndata: one\n\n', [event('one')]],
  ['an id and a pause without data', 'id: 7\nretry: 500\n\n', [event('', { id: '7', retryMs: 500 })]],
  ['a type', 'event: ping\ndata: one\n\n', [event('one', { type: 'ping' })]],
  ['a pause that is no number', 'retry: soon\ndata: one\n\n', [event('one')]],
  ['a pause longer than any timer', 'retry: 99999999999999999999\ndata: one\n\n', [event('one')]],
  ['an id with a NUL', 'id: a\0b\ndata: one\n\n', [event('one')]],
  ['an unknown field', 'colour: red\n\n', []],
  ['a field without a colon', 'data\n\n', [event('')]],
  ['an unfinished event at the end', 'data: one\n\ndata: two\n', [event('one')]],
  ['an empty stream', '', []],
])('the events of a stream are read: %s', async (_what, text, expected) => {
  expect(await read(text)).toEqual(expected);
});

test('the events are the same wherever the stream is split, even within a line end or a character', async () => {
  const text = 'id: 1\r\ndata: {"name":"Zoë 🦊"}\r\n\r\n: x\rdata: a\rdata: b\r\rdata: c\n\nretry: 3\n\n';
  const whole = await read(text);
  expect(whole).toHaveLength(4);
  const bytes = new TextEncoder().encode(text);
  const cuts = fc.uniqueArray(fc.integer({ min: 0, max: bytes.length }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(cuts, async (places) => {
      const ends = [...places.toSorted((left, right) => left - right), bytes.length];
      const pieces = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
      expect(await read(...pieces)).toEqual(whole);
    }),
  );
});

test('bytes that are not UTF-8 and an endless event are refused', async () => {
  await expect(read(Uint8Array.of(0x64, 0x61, 0x74, 0x61, 0x3a, 0xff, 0x0a, 0x0a))).rejects.toThrow();
  const megabyte = 'x'.repeat(1024 * 1024);
  const oneLine = Array.from({ length: 34 }, () => megabyte);
  await expect(read('data: ', ...oneLine)).rejects.toThrow('larger than the largest answer');
  const manyLines = oneLine.map((text) => `data: ${text}\n`);
  await expect(read(...manyLines)).rejects.toThrow('larger than the largest answer');
});

test('breaking out of the loop ends the stream', async () => {
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('data: again\n\n')),
    cancel: () => void (cancelled = true),
  });
  for await (const { data } of readEvents(new Response(body))) {
    expect(data).toBe('again');
    break;
  }
  expect(cancelled).toBe(true);
});
