import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashOfKey } from '#core/backend/authentication.ts';
import { createLogger } from '#core/platform/logger.ts';
import { besideIt, startPublisher, type RunningPublisher } from './open-publisher.ts';

let folder: string;
let logFile: string;
let publisher: RunningPublisher;
const answers: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-keys-'));
  logFile = join(folder, 'service.log');
  publisher = await startPublisher({ logger: createLogger({ to: logFile, level: 'info' }) });
});
afterAll(async () => {
  await publisher.dispose();
  await rm(folder, { recursive: true });
});

const kinds = ['xml', 'search'] as const;

async function statusWith(kind: (typeof kinds)[number], token: string): Promise<number> {
  const answer = await publisher.report(kind, { token });
  answers.push(answer.text, JSON.stringify([...answer.headers]));
  return answer.status;
}

describe('a publisher key', () => {
  const matrix = [
    ['whole', 200, 200],
    ['xmlOnly', 200, 403],
    ['searchOnly', 403, 200],
  ] as const;
  test.each(matrix)('%s is accepted for its scopes only: XML %i, Search %i', async (name, xml, search) => {
    expect(await statusWith('xml', publisher.keys[name])).toBe(xml);
    expect(await statusWith('search', publisher.keys[name])).toBe(search);
  });

  test('reads only the sources of its owner', async () => {
    const { buyer, whole } = publisher.keys;
    expect((await publisher.report('xml', { token: buyer, tid: publisher.buyerTid })).status).toBe(200);
    expect((await publisher.report('xml', { token: buyer })).status).toBe(403);
    const feeds = async (token: string) => {
      const { body } = await publisher.report('search', { token });
      return new Set((body.data ?? ([] as { feed: number }[])).map(({ feed }: { feed: number }) => feed));
    };
    expect(await feeds(buyer)).toEqual(new Set([publisher.buyerFeed]));
    expect(await feeds(whole)).toEqual(new Set(publisher.feeds));
  });

  test('that is limited to some sources reads only those', async () => {
    const key = `pk_${'r'.repeat(43)}`;
    const { uid } = publisher.service.credentials.accounts.publisher;
    const some = publisher.feeds.slice(1, 3);
    await besideIt(publisher.service, (store) =>
      store.publisherKeys.add(hashOfKey(key), {
        uid,
        scopes: ['publisher:search:read'],
        tids: [],
        feeds: [...some, publisher.buyerFeed],
        isDemo: false,
      }),
    );
    const { body } = await publisher.report('search', { token: key });
    const found = (body.data ?? []) as { feed: number }[];
    // A feed of another publisher in the key's list grants nothing.
    expect(new Set(found.map(({ feed }) => feed))).toEqual(new Set(some));
    for (const sid of [publisher.feeds[0] ?? 0, publisher.buyerFeed]) {
      expect((await publisher.report('search', { token: key, sid })).status).toBe(403);
    }
    await besideIt(publisher.service, (store) => store.publisherKeys.revoke(hashOfKey(key)));
    const refused = await publisher.report('search', { token: key });
    expect([refused.status, refused.body.code]).toEqual([401, 'publisher_key_invalid']);
  });
});

test('of the demo is the same each time it is issued, and ends with its process', async () => {
  const { backend, credentials } = publisher.service;
  const keysOf = ({ accounts }: typeof credentials) => accounts.publisher.publisherKeys.map(({ key }) => key);
  expect(keysOf(backend.issueDemoCredentials())).toEqual(keysOf(credentials));
  const first = await startPublisher({ file: join(folder, 'again.sqlite') });
  await first.dispose();
  const second = await startPublisher({ file: join(folder, 'again.sqlite') });
  expect((await second.report('xml', { token: first.keys.whole })).status).toBe(401);
  expect((await second.report('xml', { token: second.keys.whole })).status).toBe(200);
  await second.dispose();
});

test('appears in no file, log, answer or list of requests', async () => {
  const texts = Object.values(publisher.keys);
  // Every request that could fail with a key in its address.
  for (const token of texts) {
    for (const parameters of [{ date_from: 'x' }, { tid: 1, sid: 1 }, { export: 'csv' }, { export: 'pdf' }]) {
      for (const kind of kinds) {
        const answer = await publisher.report(kind, { token, ...parameters });
        answers.push(answer.text, JSON.stringify([...answer.headers]));
      }
    }
    answers.push((await publisher.ask(`/nowhere?token=${token}`)).text);
  }
  const { file, backend } = publisher.service;
  const stored = await Promise.all([file, `${file}-wal`, logFile].map((name) => readFile(name, 'latin1')));
  const everything = [...stored, ...answers, JSON.stringify(backend.requestLog())];
  for (const text of texts) {
    for (const place of everything) expect(place.includes(text)).toBe(false);
    // Proves that the search can find a key: the hash of each key is in the file.
    expect(`${stored[0]}${stored[1]}`.includes(hashOfKey(text))).toBe(true);
  }
});
