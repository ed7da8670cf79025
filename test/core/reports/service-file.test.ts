import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { silentLogger as logger } from '#core/platform/logger.ts';
import { createServiceFiles } from '#core/reports/service-file.ts';
import { createPublisherClient } from '#core/service-client/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { failureOf } from '#test/core/service-client/failure-of.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';

const asked = {
  source: { kind: 'search', sid: null },
  range: { from: '2026-11-01', to: '2026-11-02' },
  grouping: 'day',
  format: 'csv',
} as const;

/** A service that answers with the script, and the core's downloads of its files. */
async function setUp(script: (response: ServerResponse, url: string) => unknown) {
  const sockets = { open: 0, written: 0 };
  const server = createServer((request, response) => {
    sockets.open += 1;
    response.on('close', () => (sockets.open -= 1));
    request.resume();
    void script(response, request.url ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const publisher = createPublisherClient({
    apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: async () => 'pk_of-the-file',
    timeoutMs: 30_000,
    logger,
  });
  const clock = createManualClock();
  const active = { is: true };
  let ids = 0;
  const files = createServiceFiles({
    access: () => ({ connection: { publisher }, today: '2026-11-22' }),
    assertActive() {
      if (!active.is) throw new AppError('profile_changed');
    },
    newId: () => `file-${(ids += 1)}`,
    clock,
  });
  return { files, sockets, clock, active };
}

const textOf = async (files: Awaited<ReturnType<typeof setUp>>['files'], id: string) => {
  const parts: string[] = [];
  for (;;) {
    const { text, done } = await files.filePart({ id });
    parts.push(text);
    if (done) return parts;
  }
};

test('a file is passed on part by part, exactly as the service sent it', async () => {
  const line = '"Zürich–süd 😀",1,2\r\n';
  const { files, sockets } = await setUp((response, url) => {
    expect(url).toContain('export=csv');
    response.end(line.repeat(100_000));
  });
  const { id, name } = await files.startFile(asked);
  expect(name).toBe('search-all-2026-11-01-to-2026-11-02.csv');
  const parts = await textOf(files, id);
  expect(parts.join('')).toBe(line.repeat(100_000));
  expect(parts.length).toBeGreaterThan(2);
  expect(Math.max(...parts.map((part) => Buffer.byteLength(part)))).toBeLessThan(1_100_000);
  await expect.poll(() => sockets.open).toBe(0);
  expect((await failureOf(files.filePart({ id }))).code).toBe('report_export_ended');
});

test('the service is slowed down while the page does not read, even while another page reads a file', async () => {
  const totalBytes = 60 * 1024 * 1024;
  const pour = async () => {
    const sent = { bytes: 0 };
    const world = await setUp(async (response) => {
      const piece = Buffer.alloc(256 * 1024, 'x');
      while (sent.bytes < totalBytes) {
        sent.bytes += piece.byteLength;
        if (!response.write(piece)) await new Promise((resolve) => response.once('drain', resolve));
      }
      response.end();
    });
    return { ...world, sent };
  };
  const held = await pour();
  const { id } = await held.files.startFile(asked);
  await held.files.filePart({ id });
  const other = await pour();
  await textOf(other.files, (await other.files.startFile(asked)).id);
  expect(other.sent.bytes).toBe(totalBytes);
  // The limit allows for the socket buffers of both sides.
  expect(held.sent.bytes).toBeLessThan(30 * 1024 * 1024);
  expect((await textOf(held.files, id)).at(-1)).toBeDefined();
  expect(held.sent.bytes).toBe(totalBytes);
});

test('the service is asked for the file only with the first part, however long the user chooses a place', async () => {
  const { files, clock, sockets } = await setUp((response) => response.end('all'));
  const { id } = await files.startFile(asked);
  clock.advance(60 * 60_000);
  expect(sockets.open).toBe(0);
  expect(await textOf(files, id)).toEqual(['all']);
});

test.each([
  ['the page ends it', async ({ files, id }) => files.endFile({ id })],
  ['another file is started', async ({ files }) => files.startFile(asked)],
  ['the page does not ask for a minute', async ({ clock }) => clock.advance(60_001)],
  ['the part shut down', async ({ files }) => files.closeFile()],
] satisfies [string, (at: Awaited<ReturnType<typeof setUp>> & { id: string }) => Promise<unknown>][])(
  'a file is closed and gives no more parts when %s',
  async (_name, end) => {
    const all = await setUp((response) => response.write('x'.repeat(600_000)));
    const { id } = await all.files.startFile(asked);
    expect((await all.files.filePart({ id })).done).toBe(false);
    expect(all.sockets.open).toBe(1);
    await end({ ...all, id });
    expect((await failureOf(all.files.filePart({ id }))).code).toBe('report_export_ended');
    await expect.poll(() => all.sockets.open).toBe(0);
    all.files.closeFile();
  },
);

test('a part that is requested while the file is cancelled reports the end', async () => {
  const { files } = await setUp((response) => response.write('begin'));
  const { id } = await files.startFile(asked);
  const part = files.filePart({ id });
  files.endFile({ id });
  expect((await failureOf(part)).code).toBe('report_export_ended');
});

test('a file that is cancelled before the service answers ends immediately, for the service too', async () => {
  const { files, sockets } = await setUp(() => {});
  const { id } = await files.startFile(asked);
  const part = failureOf(files.filePart({ id }));
  await expect.poll(() => sockets.open).toBe(1);
  files.endFile({ id });
  expect((await part).code).toBe('report_export_ended');
  await expect.poll(() => sockets.open).toBe(0);
});

test('a truncated file, or a file that is not text, fails and is closed', async () => {
  const cut = await setUp((response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('begin', () => response.destroy());
  });
  const first = await cut.files.startFile(asked);
  expect((await failureOf(textOf(cut.files, first.id))).code).toBe('service_unreachable');
  const bytes = await setUp((response) => response.end(Buffer.from([0x61, 0xff, 0xfe])));
  const second = await bytes.files.startFile(asked);
  expect((await failureOf(textOf(bytes.files, second.id))).code).toBe('service_answer_unreadable');
});

test.each([
  [404, 'no_data'],
  [403, 'forbidden'],
  [401, 'publisher_key_invalid'],
])('a refusal with %i ends the first part with %s', async (status, code) => {
  const { files } = await setUp((response) => response.writeHead(status).end('{}'));
  const { id } = await files.startFile(asked);
  expect((await failureOf(files.filePart({ id }))).code).toBe(code);
  expect((await failureOf(files.filePart({ id }))).code).toBe('report_export_ended');
});

test('a file of a profile that is no longer active gives no more parts', async () => {
  const { files, active } = await setUp((response) => response.end('x'.repeat(3_000_000)));
  const { id } = await files.startFile(asked);
  await files.filePart({ id });
  active.is = false;
  expect((await failureOf(files.filePart({ id }))).code).toBe('profile_changed');
  files.closeFile();
});
