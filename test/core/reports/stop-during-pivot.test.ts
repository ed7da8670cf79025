import { expect, test } from 'vitest';
import type { AppInput } from '#shared/app-api/index.ts';
import { frozenSince, start } from '#test/core/agents/emergency-stop-scene.ts';
import { createWorld } from '#test/core/proposals/world.ts';
import { query, startPublisherService } from './publisher-service.ts';

const rowCount = 60_000;
const date = '2026-01-01';
const values = { geo: 40, feed: 25, subid: 900 };

function* rows(): Generator<string> {
  for (let row = 0; row < rowCount; row += 1) {
    const { geo, feed, subid } = values;
    yield `{"date":"${date}","feed":${row % feed},"geo":"G${(row * 7) % geo}","subid":"s-${(row * 13) % subid}","total":"${row}","clicks":"${row % 91}","revenue":"${row % 17}.25"}`;
  }
}

/** Queries that count different rows, so that none can reuse the groups of another. */
const pivots: Partial<AppInput<'reports.page'>['query']>[] = Array.from({ length: 60 }, (_, at) => ({
  levels: ['subid', 'geo', 'feed'],
  only: Array.from({ length: 20 }, (_value, next) => ({ dimension: 'geo', value: `G${(at + next) % 40}` })),
  excluded: [[{ dimension: 'feed', value: String(at % 25) }]],
  search: `s-${at % 9}`,
}));

test('an emergency stop completes while the worker is busy with a large report', async () => {
  const publisher = await startPublisherService();
  publisher.script = ({ from }, response) => {
    if (from !== date) return false;
    response.end(`{"status":"success","message":"","data":[${[...rows()].join(',')}]}`);
    return true;
  };
  const world = await createWorld({ host: 'desktop', campaigns: 12 });
  const { handlers } = world.core;
  const { id } = await handlers['profiles.add']({
    name: 'Large',
    baseUrl: `${publisher.apiUrl}/api/v1`,
    apiUrl: publisher.apiUrl,
    mcpUrl: publisher.apiUrl,
    zone: 'UTC',
    remoteAccess: 'direct-jwt',
  });
  await handlers['profiles.switch']({ id });
  await handlers['profiles.keepCredential']({ id, name: 'publisherKey', value: 'pk_of-the-large-report' });
  const ask = (change: (typeof pivots)[number], read: 'none' | 'missing' = 'none') =>
    handlers['reports.page']({
      query: query({
        source: { kind: 'search', sid: null },
        range: { from: date, to: date },
        levels: ['geo'],
        ...change,
      }),
      expanded: [],
      offset: 0,
      limit: 60,
      read,
    });
  await ask({}, 'missing');
  await expect.poll(async () => (await ask({})).rowCount).toBe(values.geo);

  const order: string[] = [];
  const asked = pivots.map((pivot, at) => {
    const note = (): void => void order.push(`pivot ${at}`);
    return ask(pivot).then(note, note);
  });
  await handlers['profiles.switch']({ id: 'demo' });
  await start(world);
  order.push('stopped');
  expect(await frozenSince(world)).not.toBeNull();
  await Promise.all(asked);
  expect(order).toHaveLength(pivots.length + 1);
  expect(order.at(-1)).toBe(`pivot ${pivots.length - 1}`);
});
