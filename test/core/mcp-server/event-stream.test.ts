import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type EventStream, openEventStream } from '#core/mcp-server/session/event-stream.ts';

const mebibyte = 'x'.repeat(1024 * 1024);

/** A stream to a client that reads nothing. */
async function unread(keepAliveMs: number) {
  const opened = Promise.withResolvers<{
    stream: EventStream;
    response: ServerResponse;
    ends: () => number;
  }>();
  const server = createServer((_request, response) => {
    let ends = 0;
    const onEnd = (): void => void (ends += 1);
    const stream = openEventStream(response, { sessionId: 's', keepAliveMs, heldMs: 0, onEnd });
    opened.resolve({ stream, response, ends: () => ends });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  return opened.promise;
}

test('an unread stream is ended, so its buffer cannot grow without limit', async () => {
  const { stream, response, ends } = await unread(60_000);
  for (let count = 0; count < 64; count += 1) stream.write(mebibyte);
  expect(response.writableLength).toBeLessThan(10 * mebibyte.length);
  expect(response.destroyed).toBe(true);
  stream.end();
  expect(ends()).toBe(1);
});

test('an unread answer is not buffered', async () => {
  const { stream, response } = await unread(20);
  for (let count = 0; count < 8; count += 1) stream.write(mebibyte);
  const closed = once(response, 'close');
  stream.end();
  await closed;
  expect(response.writableFinished).toBe(false);
});
