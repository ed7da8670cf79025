import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { composeCore, type Core } from '#core/compose/compose.ts';
import type { AppInput, AppOutput, ReportQuery } from '#shared/app-api/index.ts';

/** A line of the bench's output. */
export interface Figure {
  name: string;
  figure: number;
  unit: string;
  aim: string;
}

/**
 * The arguments: the folder with the sources of the child processes, the core's data folder, and which start of the core this
 * is (`first`, `second` or `third`).
 */
const [sources = '', dataFolder = '', start = ''] = process.argv.slice(2);

type Page = AppOutput<'reports.page'>;
type Change = Partial<ReportQuery> & { source: ReportQuery['source'] };

async function run(): Promise<Figure[]> {
  const core = await open(dataFolder);
  try {
    if (start === 'first') return await measureFresh(core);
    // A person opens the page a moment after the core has started, when the worker has started too.
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    if (start === 'third') return await measureDifferent(core);
    return [...(await measureCached(core)), ...(await measureMillion(core))];
  } finally {
    await core.dispose();
  }
}

function open(dataFolder: string): Promise<Core> {
  return composeCore({
    dataFolder,
    host: 'desktop',
    version: '0.0.0',
    dataKey: Buffer.alloc(32, 7),
    confirmer: { via: 'desktop', show: async () => ({ address: null }), hide() {} },
    demoCampaigns: 50,
  });
}

function ask(
  { handlers }: Core,
  change: Change,
  input: Partial<AppInput<'reports.page'>> = {},
): Promise<Page> {
  const query: ReportQuery = {
    range: { preset: 'last90' },
    comparison: 'none',
    includeToday: false,
    levels: ['date'],
    only: [],
    excluded: [],
    search: '',
    sort: { column: 'date', descending: true },
    ...change,
  };
  return handlers['reports.page']({ query, expanded: [], offset: 0, limit: 60, read: 'none', ...input });
}

/** Asks as a page does: once, and again after each event, until the figures are complete. */
async function untilRead(core: Core, change: Change): Promise<Page> {
  let wake = (): void => {};
  const stop = core.subscribe(({ kind }) => {
    if (kind === 'reports.changed') wake();
  });
  try {
    for (let page = await ask(core, change, { read: 'missing' }); ;) {
      const { state, failure } = page.state;
      if (failure !== null) throw new Error(`${failure.code}: ${failure.message}`);
      if (state === 'idle') return page;
      const changed = new Promise<void>((resolve) => (wake = resolve));
      page = await ask(core, change);
      if (page.state.state === 'reading') await changed;
    }
  } finally {
    stop();
  }
}

async function measureFresh(core: Core): Promise<Figure[]> {
  const { tids, sids } = await core.handlers['reports.sources']({});
  // The first report waits until the demo's statistics are made, and starts the worker.
  await untilRead(core, { source: { kind: 'search', sid: sids[0] ?? null }, range: { preset: 'yesterday' } });
  const times: number[] = [];
  for (const source of [
    ...tids.slice(1).map((tid) => ({ kind: 'xml', tid }) as const),
    ...sids.slice(1).map((sid) => ({ kind: 'search', sid }) as const),
  ]) {
    const startedAt = performance.now();
    const page = await untilRead(core, { source, range: { preset: 'last30' }, comparison: 'previous' });
    // A feed of Demo starts within these days, so its source has fewer than 30 rows.
    if (page.rowCount < 20) throw new Error(`${page.rowCount} rows`);
    times.push(performance.now() - startedAt);
  }
  // Fills the cache for the cached figures.
  await untilRead(core, { source: { kind: 'search', sid: sids[0] ?? null } });
  return [
    {
      name: 'first figures of 30 days and the 30 before, fresh from Demo, median',
      figure: at(times, 0.5),
      unit: 'ms',
      aim: 'under 400',
    },
  ];
}

async function measureCached(core: Core): Promise<Figure[]> {
  const { sids } = await core.handlers['reports.sources']({});
  const source = { kind: 'search', sid: sids[0] ?? null } as const;
  const startedAt = performance.now();
  const first = await ask(core, { source }, { read: 'missing' });
  const withStartMs = performance.now() - startedAt;
  if (first.rowCount !== 90) throw new Error(`${first.rowCount} rows`);
  const times: number[] = [];
  for (const sid of sids.slice(1)) {
    await untilRead(core, { source: { kind: 'search', sid } });
    // Loads other rows into memory, so that the measured rows come from the disk.
    await ask(core, { source: { kind: 'search', sid }, range: { preset: 'last30' } });
    const from = performance.now();
    await ask(core, {
      source,
      range: { preset: 'last90' },
      levels: [sid % 2 === 0 ? 'geo' : 'subid', 'date'],
    });
    times.push(performance.now() - from);
  }
  return [
    {
      name: 'first figures of 90 cached days after a restart',
      figure: withStartMs,
      unit: 'ms',
      aim: 'under 100',
    },
    {
      name: 'figures of 90 cached days, other level, median',
      figure: at(times, 0.5),
      unit: 'ms',
      aim: 'under 100',
    },
  ];
}

/** Every order of some dimensions, so that no pivot is asked for twice. */
const orders = ['date', 'geo', 'feed', 'subid'].flatMap((first, _, all) =>
  all
    .filter((second) => second !== first)
    .flatMap((second) => [
      [first, second],
      ...all.filter((third) => third !== first && third !== second).map((third) => [first, second, third]),
    ]),
);

/** Starts the service with a million rows in a process of its own and makes its profile the active one. */
async function connectMillion({ handlers }: Core): Promise<ChildProcess> {
  const service = fork(new URL('million-rows.ts', sources));
  const [port] = (await once(service, 'message')) as [number];
  const origin = `http://127.0.0.1:${port}`;
  const { id } = await handlers['profiles.add']({
    name: `A million rows, ${start}`,
    baseUrl: `${origin}/api/v1`,
    apiUrl: origin,
    mcpUrl: origin,
    zone: 'UTC',
    remoteAccess: 'direct-jwt',
  });
  await handlers['profiles.switch']({ id });
  await handlers['profiles.keepCredential']({
    id,
    name: 'publisherKey',
    value: `pk_${randomBytes(8).toString('hex')}`,
  });
  return service;
}

const millionRows: Change = {
  source: { kind: 'search', sid: null },
  range: { from: '2026-01-01', to: '2026-01-31' },
  levels: ['geo', 'subid'],
  sort: { column: 'revenue', descending: true },
};

async function measureMillion(core: Core): Promise<Figure[]> {
  const service = await connectMillion(core);
  const change = millionRows;
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const startedAt = performance.now();
  const lastByte = once(service, 'message') as Promise<[number]>;
  const page = await untilRead(core, change);
  const pivotAt = performance.timeOrigin + performance.now();
  const [lastByteAt] = await lastByte;
  if (page.totals.every((total) => total === null)) throw new Error('No rows');
  const readMs = performance.now() - startedAt;
  const times: number[] = [];
  for (const levels of orders) {
    const from = performance.now();
    await ask(core, { ...change, levels });
    times.push(performance.now() - from);
  }
  const stop = await measureStop(core, change);
  delay.disable();
  service.kill();
  return [
    { name: 'a Search report of 1,000,000 rows: read', figure: readMs / 1000, unit: 's', aim: '–' },
    { name: 'first pivot after its last byte', figure: pivotAt - lastByteAt, unit: 'ms', aim: 'under 2000' },
    { name: 'regrouped, median', figure: at(times, 0.5), unit: 'ms', aim: '–' },
    { name: 'regrouped, p95', figure: at(times, 0.95), unit: 'ms', aim: 'under 200' },
    { name: 'emergency stop during the largest pivots', figure: stop, unit: 'ms', aim: '–' },
    { name: 'longest turn of the core meanwhile', figure: delay.max / 1e6, unit: 'ms', aim: 'under 50' },
    {
      name: 'memory of the core at most, the worker included',
      figure: maxMb(),
      unit: 'MB',
      aim: 'under 400',
    },
  ];
}

/**
 * Measures as many rows, each with a sub-ID of its own. Reports that people read have far fewer labels; this is the worst
 * case for the label table.
 */
async function measureDifferent(core: Core): Promise<Figure[]> {
  const change: Change = { ...millionRows, source: { kind: 'search', sid: 7 }, levels: ['subid'] };
  const service = await connectMillion(core);
  const lastByte = once(service, 'message') as Promise<[number]>;
  const page = await untilRead(core, change);
  const pivotAt = performance.timeOrigin + performance.now();
  const [lastByteAt] = await lastByte;
  if (page.rowCount < 1_000_000) throw new Error(`${page.rowCount} sub-ids`);
  const from = performance.now();
  await ask(core, change, { offset: 500_000 });
  const nextMs = performance.now() - from;
  const sortedFrom = performance.now();
  await ask(core, { ...change, sort: { column: 'clicks', descending: true } });
  const sortedMs = performance.now() - sortedFrom;
  service.kill();
  return [
    {
      name: '1,000,000 different sub-ids: first pivot after the last byte',
      figure: pivotAt - lastByteAt,
      unit: 'ms',
      aim: 'under 2000',
    },
    { name: 'another screenful of them', figure: nextMs, unit: 'ms', aim: '–' },
    { name: 'sorted by another column', figure: sortedMs, unit: 'ms', aim: '–' },
    { name: 'memory of the core at most, the worker included', figure: maxMb(), unit: 'MB', aim: '–' },
  ];
}

function maxMb(): number {
  return process.resourceUsage().maxRSS / 1024;
}

/**
 * Returns how long an emergency stop takes, including the pause of Demo's campaigns, while the worker computes the largest
 * pivots.
 */
async function measureStop(core: Core, change: Change): Promise<number> {
  let made = 0;
  const pivots = ['sub-9', 'sub-8', 'sub-7', 'sub-6', 'sub-5', 'sub-4', 'sub-3', 'sub-2'].map(
    (search, at) => {
      // Each question excludes a different feed, so that no groups can be reused.
      const excluded = [[{ dimension: 'feed', value: String(400 + at) }]];
      const pivot = ask(core, { ...change, levels: ['date', 'subid', 'geo', 'feed'], search, excluded });
      // The active profile changes meanwhile, so the answer is refused when it arrives.
      return pivot.catch(() => undefined).then(() => (made += 1));
    },
  );
  await core.handlers['profiles.switch']({ id: 'demo' });
  const from = performance.now();
  await core.handlers['emergencyStop.start']({});
  const ms = performance.now() - from;
  if (made === pivots.length) throw new Error('Every pivot was made before the stop: it shows nothing');
  await Promise.all(pivots);
  return ms;
}

function at(times: readonly number[], share: number): number {
  const sorted = times.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

// The process measures one start of the core and sends the figures to the bench.
process.send?.(await run());
process.disconnect();
