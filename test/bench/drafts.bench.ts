import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { composeCore, type Core } from '#core/compose/compose.ts';
import { systemClock } from '#core/platform/clock.ts';

const campaigns = 200;

/** Drafts of 200 campaigns from the change to the proposals, with the embedded service in the same process, as in the app. */
export async function run(): Promise<{ name: string; figure: number; unit: string; aim: string }[]> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const core = await composeCore({
    dataFolder: folder,
    host: 'terminal',
    version: '0.0.0',
    dataKey: randomBytes(32),
    confirmer: { via: 'terminal', show: async () => ({ address: null }), hide: () => {} },
  });
  try {
    return await measure(core);
  } finally {
    await core.dispose();
    rmSync(folder, { recursive: true });
  }
}

async function measure({ handlers }: Core) {
  const { rows } = await handlers['campaigns.page']({
    filter: { query: '', status: null, types: [], sort: 'cid', order: 'asc' },
    page: 1,
    perPage: campaigns,
  });
  const changes = rows.flatMap(({ cid, name, payout }) => [
    { cid, field: 'name', draft: { from: name, operations: [{ kind: 'set' as const, value: `${name} 2` }] } },
    {
      cid,
      field: 'payout',
      draft: { from: payout, operations: [{ kind: 'percent' as const, percent: '3' }] },
    },
  ]);
  const cids = rows.map(({ cid }) => cid);
  const change = await timed(() => handlers['drafts.change']({ title: 'Raise', changes }));
  const get = await timed(() => handlers['drafts.get']({ cids: null }));
  const check = await timed(async () => {
    await handlers['drafts.check']({ cids: null });
    while ((await handlers['drafts.checked']({})).isRunning)
      await new Promise((next) => setTimeout(next, 20));
  });
  const { campaigns: found } = await handlers['drafts.checked']({});
  const ready = found.filter(({ state }) => state === 'ready' || state === 'warning').length;
  if (found.length !== campaigns || ready < campaigns / 2)
    throw new Error(`${ready} of ${found.length} ready`);
  const propose = await timed(() => handlers['drafts.propose']({ cids }));
  return [
    { name: `drafts of ${campaigns} campaigns, stored as one step`, figure: change, unit: 'ms', aim: '–' },
    { name: 'the same, read by the page', figure: get, unit: 'ms', aim: '–' },
    { name: 'the same, checked against fresh reads', figure: check / 1_000, unit: 's', aim: 'under 5' },
    { name: 'the same, proposed in one transaction', figure: propose / 1_000, unit: 's', aim: '–' },
  ];
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = systemClock.monotonicMs();
  await work();
  return systemClock.monotonicMs() - startedAt;
}
