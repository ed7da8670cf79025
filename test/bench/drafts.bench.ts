import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Core } from '#core/compose/compose.ts';
import { systemClock } from '#core/platform/clock.ts';
import { openCore } from './drafts/core.ts';
import type { ImportedFigures } from './drafts/imported.ts';

interface Figure {
  name: string;
  figure: number;
  unit: string;
  aim: string;
}

const campaigns = 200;
/** The number of campaigns whose drafts come from a file. */
const imported = 6_014;

/**
 * Measures drafts from the bulk change to the proposals, and from a file. The embedded service is in the same process, as in
 * the app.
 */
export async function run(): Promise<Figure[]> {
  return [
    ...(await inNewFolder(undefined, async (folder, dataKey) => {
      const core = await openCore(folder, dataKey);
      try {
        return await measure(core);
      } finally {
        await core.dispose();
      }
    })),
    ...(await inNewFolder(imported, measureImported)),
  ];
}

/** Calls the work with a data folder that a first start has filled, and removes the folder afterwards. */
async function inNewFolder<T>(
  demoCampaigns: number | undefined,
  work: (folder: string, dataKey: Buffer) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const dataKey = randomBytes(32);
  try {
    await (await openCore(folder, dataKey, demoCampaigns)).dispose();
    return await work(folder, dataKey);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs the import in a process of its own, so that its memory can be measured alone. */
async function measureImported(folder: string, dataKey: Buffer): Promise<Figure[]> {
  const child = fork(new URL('./drafts/imported.ts', import.meta.url), [folder, dataKey.toString('hex')], {
    execArgv: ['--expose-gc'],
  });
  const [figures] = (await once(child, 'message')) as [ImportedFigures];
  await once(child, 'exit');
  const { drafted, usable, importSeconds, checkSeconds, restingMb, peakMb, liveMb } = figures;
  if (usable !== drafted || drafted < imported / 2)
    throw new Error(`${usable} of ${drafted} can be proposed`);
  const name = `drafts of ${drafted} campaigns`;
  return [
    { name: `${name}, read from a file`, figure: importSeconds, unit: 's', aim: '–' },
    { name: 'the same, memory of the process', figure: restingMb, unit: 'MB', aim: '–' },
    { name: 'the same, checked against fresh reads', figure: checkSeconds, unit: 's', aim: 'under 10' },
    { name: 'the same, most memory of import and check', figure: peakMb, unit: 'MB', aim: 'under 250' },
    { name: 'the same, objects in use after it', figure: liveMb, unit: 'MB', aim: '–' },
  ];
}

async function measure({ handlers }: Core): Promise<Figure[]> {
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
