import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { campaignWrites } from '#core/backend/operations/campaign-writes.ts';
import { createOperations } from '#core/backend/operations/operations.ts';
import { systemClock } from '#core/platform/clock.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { openService, principalOf, quietContext } from '#test/core/backend/operations/open-service.ts';
import { startChild } from '#test/servers/child.ts';
import { integrityOf } from '#test/servers/stored-rows.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { randomMoments } from './random-moments.ts';

const program = new URL('./committer.ts', import.meta.url);

const randomKills = 12;

interface Request extends JsonObject {
  idempotencyKey: string;
  payload: { ids: number[]; status: number };
}

interface Said {
  requests: Request[];
  acknowledged: string[];
}

/**
 * Runs the program until it is dead. A program that does not kill itself is killed `delayMs` after it first printed the word.
 */
async function run(
  file: string,
  point: string,
  kill?: { after: 'commit' | 'ack'; pauseMs: number },
): Promise<Said> {
  const child = startChild(program, [file, point]);
  onTestFinished(() => child.kill());
  const lines: string[] = [];
  if (kill !== undefined) {
    do lines.push(await child.line());
    while (!lines.at(-1)?.startsWith(`${kill.after} `));
    await new Promise((resolve) => setTimeout(resolve, kill.pauseMs));
    await child.kill();
  }
  lines.push(...(await child.rest()));
  const of = (word: string) =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
  return {
    requests: of('commit').map((text) => JSON.parse(text) as Request),
    acknowledged: of('ack'),
  };
}

/** Starts the service again and returns its tools as the same principal sees them. */
function reopen(file: string) {
  const service = openService(file, { clock: systemClock, campaigns: 20 });
  const who = principalOf(service);
  const { tools } = createOperations(service, campaignWrites(service));
  const call = async (name: string, args: JsonObject) => {
    const tool = tools.find((candidate) => candidate.name === name);
    const { data } = (await tool?.run(who, args, quietContext)) ?? {};
    return JSON.parse(JSON.stringify(data)) as JsonObject;
  };
  return {
    call,
    row: (key: string) => service.store.operations.operationByKey(who.key, key),
    statusOf: (cid: number) => service.store.read.statuses(who.member.uid, [cid]).get(cid),
    dispose: () => service.store.dispose(),
  };
}

test('a commit that is killed before its transaction ends has stored nothing and can be repeated', async () => {
  const file = join(tempFolder(), 'backend.sqlite');
  const { requests } = await run(file, 'apply');
  const [request] = requests;
  const { idempotencyKey: key, payload } = request ?? ({} as Request);
  const [cid = 0] = payload.ids;
  const service = reopen(file);
  expect(service.row(key)).toBeNull();
  expect(service.statusOf(cid)).not.toBe(payload.status);
  expect(await service.call('svc_commit', request ?? {})).toMatchObject({ status: 'completed' });
  expect(service.statusOf(cid)).toBe(payload.status);
  await service.dispose();
});

test('a commit that is killed before its answer is stored once, and the next call verifies it and stores the answer', async () => {
  const file = join(tempFolder(), 'backend.sqlite');
  const { requests } = await run(file, 'verify');
  const [request] = requests;
  const { idempotencyKey: key, payload } = request ?? ({} as Request);
  const [cid = 0] = payload.ids;
  const service = reopen(file);
  expect(service.row(key)?.answer).toBeNull();
  expect(service.statusOf(cid)).toBe(payload.status);
  const answer = await service.call('svc_get_operation', { idempotencyKey: key });
  expect(answer).toMatchObject({ status: 'completed', verification: { stored: true } });
  expect(await service.call('svc_commit', request ?? {})).toEqual(answer);
  await service.dispose();
});

test(`${randomKills} kills at random moments lose no acknowledged commit, and every stored write has its operation`, async () => {
  const file = join(tempFolder(), 'backend.sqlite');
  const random = randomMoments();
  const statuses = new Map<number, number>();
  let acknowledgedCount = 0;
  for (let kill = 0; kill < randomKills; kill += 1) {
    const after = kill % 2 === 0 ? 'commit' : 'ack';
    const { requests, acknowledged } = await run(file, 'random', { after, pauseMs: random.fraction() * 60 });
    expect(integrityOf(file)).toBe('ok');
    const service = reopen(file);
    for (const { idempotencyKey: key, payload } of requests) {
      const row = service.row(key);
      if (acknowledged.includes(key)) expect(row?.answer, key).not.toBeNull();
      if (row !== null) statuses.set(payload.ids[0] ?? 0, payload.status);
    }
    for (const [cid, status] of statuses) expect(service.statusOf(cid), `after kill ${kill}`).toBe(status);
    acknowledgedCount += acknowledged.length;
    await service.dispose();
  }
  expect(acknowledgedCount).toBeGreaterThanOrEqual(randomKills / 2);
});
