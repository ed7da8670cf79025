import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import Papa from 'papaparse';
import { afterEach, describe, expect, test } from 'vitest';
import { createApp } from '#core/backend/http/create-app.ts';
import { sendReport } from '#core/backend/publisher/send-report.ts';
import { silentLogger } from '#core/platform/logger.ts';
import { openLoopbackListener } from '#core/platform/loopback/listener.ts';
import { AppError } from '#shared/errors/index.ts';
import { besideIt, startPublisher } from './open-publisher.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const rowsPerBatch = 1_000;
const line = 'x'.repeat(97);
const columns = [{ name: 'line', kind: 'text', text: () => line }] as const;

/** Yields one batch per turn of the event loop, until `isOver`. */
async function* batchesUntil(isOver: () => boolean, work: { batches: number }) {
  while (!isOver()) {
    work.batches += 1;
    yield Array.from({ length: rowsPerBatch }, () => null);
    await new Promise(setImmediate);
  }
}

/** Serves a report through the real app and listener, without a database. */
async function serve(batches: AsyncIterable<null[]>) {
  const lines: string[] = [];
  const logger = { ...silentLogger, error: (_facts: object, message: string) => void lines.push(message) };
  const app = createApp({ logger });
  const sending = { from: '2026-03-01', to: '2026-03-07', format: 'csv', logger } as const;
  app.get('/report', (_request, reply) =>
    sendReport(reply, { name: 'x', label: '', columns, total: 1, batches }, sending),
  );
  app.get('/other', (_request, reply) => reply.send('{}'));
  await app.ready();
  const listener = await openLoopbackListener({
    port: 0,
    logger: silentLogger,
    handler: (request, response) => app.routing(request, response),
  });
  ends.push(
    () => app.close(),
    () => listener.dispose(),
  );
  return { port: listener.port, lines };
}

/** Serves a report that never ends, and returns the state of its work. */
async function endlessReport() {
  const work = { batches: 0, ended: Promise.withResolvers<void>() };
  async function* batches() {
    try {
      yield* batchesUntil(() => false, work);
    } finally {
      work.ended.resolve();
    }
  }
  const { port } = await serve(batches());
  return { work, port };
}

/** Sends a request and reads only the bytes that arrive with the head of the answer. */
async function askAndWait(port: number, path: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  ends.push(() => socket.destroy());
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
}

/** Sends other requests until the number of batches has stopped growing. */
async function untilStill(work: { batches: number }, port: number): Promise<number> {
  let still = 0;
  for (let before = work.batches; still < 25; before = work.batches) {
    const answer = await fetch(`http://127.0.0.1:${port}/other`);
    await answer.arrayBuffer();
    expect(work.batches).toBeLessThan(1_000);
    still = work.batches === before ? still + 1 : 0;
  }
  return work.batches;
}

describe('a streamed export', () => {
  test('waits for a slow reader while other requests are answered', async () => {
    const { work, port } = await endlessReport();
    const socket = await askAndWait(port, '/report');
    const stoodAt = await untilStill(work, port);
    socket.resume();
    while (work.batches < stoodAt + 50) await once(socket, 'data');
    expect(work.batches).toBeGreaterThan(stoodAt);
  });

  test('ends its work when the client disconnects', async () => {
    const { work, port } = await endlessReport();
    const socket = await askAndWait(port, '/report');
    await untilStill(work, port);
    socket.destroy();
    await expect(work.ended.promise).resolves.toBeUndefined();
  });

  test('of more rows than one batch arrives complete and in order at a reader that keeps pausing', async () => {
    const publisher = await startPublisher({ days: 1 });
    ends.push(() => publisher.dispose());
    const feed = 880_001;
    const rows = Array.from({ length: 25_000 }, (_row, at) => ({
      geo: at % 2 === 0 ? 'DE' : 'US',
      subid: `sub ${String(at).padStart(6, '0')}`,
      total: 3,
      monetized: 2,
      clicks: 1,
      revenueMicros: BigInt(at),
    }));
    await besideIt(publisher.service, ({ statistics: { write } }) => {
      write.addSources(publisher.service.credentials.accounts.publisher.uid, { tids: [], feeds: [feed] });
      write.addSearchDay(feed, '2020-01-01', rows);
      write.addSearchDay(feed, '2020-01-02', rows.slice(0, 1_000));
      write.addSearchDay(feed, '2020-01-03', rows.slice(0, 1_001));
    });
    const query = `token=${publisher.keys.whole}&sid=${feed}&date_from=2020-01-01&date_to=2020-01-31&export=csv`;
    const answer = await fetch(`http://127.0.0.1:${publisher.service.port}/publisher/search-report?${query}`);
    const chunks: Uint8Array[] = [];
    for await (const chunk of answer.body ?? []) {
      chunks.push(chunk);
      await publisher.service.list('?perPage=1');
    }
    const { data } = Papa.parse<Record<string, string>>(Buffer.concat(chunks).toString(), {
      header: true,
      skipEmptyLines: true,
    });
    const inOrder = (some: typeof rows) =>
      some.toSorted((a, b) => (a.geo === b.geo ? 0 : a.geo < b.geo ? -1 : 1));
    expect(data.map(({ subid }) => subid)).toEqual(
      [rows, rows.slice(0, 1_000), rows.slice(0, 1_001)].flatMap((some) =>
        inOrder(some).map(({ subid }) => subid),
      ),
    );
  });

  test('that fails at once is answered as a failure, and an export that fails later is cut off and logged', async () => {
    const failAfter = (count: number) => {
      const work = { batches: 0 };
      return serve(
        batchesUntil(() => {
          if (work.batches >= count) throw new AppError('storage_failed');
          return false;
        }, work),
      );
    };
    const atOnce = await failAfter(0);
    const refused = await fetch(`http://127.0.0.1:${atOnce.port}/report`);
    expect([refused.status >= 500, refused.headers.get('content-disposition')]).toEqual([true, null]);
    expect(await refused.json()).toMatchObject({ status: 'error', message: expect.any(String) });
    const later = await failAfter(30);
    const broken = await fetch(`http://127.0.0.1:${later.port}/report`);
    expect(broken.status).toBe(200);
    await expect(broken.text()).rejects.toThrow();
    expect(later.lines).toEqual(['A report broke off']);
  });

  test('does not prevent the service from ending', async () => {
    const publisher = await startPublisher({ days: 150 });
    const query = `token=${publisher.keys.whole}&date_from=2020-01-01&date_to=2026-12-31&export=json`;
    const socket = await askAndWait(publisher.service.port, `/publisher/search-report?${query}`);
    await publisher.dispose();
    socket.resume();
    await expect(once(socket, 'close')).resolves.toBeDefined();
  });
});
