import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { grow } from '#test/bench/growth/replicate.ts';
import { callOf, claude, createAgentWorld, prepare } from '#test/core/proposals/tool-call/agent-world.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';

/** As long as a real id. */
const agent = { ...claude, id: '01jd3k5m7n9p1r3t5v7x9z1b3d' };

/** Of a year with 100 changes a day. */
const scale = 50;

test('a year at 100 changes a day stays under 250 MB, with at most 5 kB of ledger for each change', async () => {
  const folder = tempFolder();
  const dataKey = randomBytes(32);
  const world = await createAgentWorld({ folder, dataKey, campaigns: 60 });
  const { data } = await world.connection.member.list({ page: 1, perPage: 60, sort: 'cid', order: 'asc' });
  const running = data.filter(({ status, payout }) => status === 1 && payout < 0.5).slice(0, 6);
  for (const { cid, payout } of running) {
    const changes = { payout: Number((payout * 1.1).toFixed(4)) };
    const { args, prepared } = await prepare(world, 'svc_prepare_campaign_update', { cid, changes });
    const { id } = await world.gate.agents.propose(callOf('svc_commit', args, { prepared, agent }));
    expect(await world.approve(id)).toMatchObject({ state: 'verified' });
  }
  await world.end();
  const { changes, ledger, file, free } = await grow({
    folder,
    dataKey,
    days: 365,
    everyDays: 5,
    changesAtOnce: 500 / scale,
  });
  expect(changes).toBe(36_500 / scale);
  expect(ledger / changes).toBeLessThanOrEqual(5_000);
  expect((file * scale) / 1e6).toBeLessThan(250);
  expect(free).toBe(0);
}, 60_000);
