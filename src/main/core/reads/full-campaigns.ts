import type { Connection, Connections } from '#core/connections/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import { concurrentReads, mapConcurrently } from '#core/platform/map-concurrently.ts';
import { createSerialQueue } from '#core/platform/serial-queue.ts';
import type { FullState } from '#shared/app-api/index.ts';
import type { CampaignEdit } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { CampaignCache } from './campaign-cache.ts';
import { everyRow } from './account-list.ts';

/** A campaign that was read in full since the app started. */
export interface FullCampaign {
  cid: number;
  edit: CampaignEdit;
  readAtMs: number;
}

/** Progress of a load, and its failures. */
export interface FullLoad {
  isRunning: boolean;
  done: number;
  total: number;
  /** Campaigns that could not be read, with the reason. */
  /** `isUnknown`: the account has no such campaign. */
  failed: { cid: number; message: string; isUnknown: boolean }[];
  /** The reason why the list itself could not be read; then nothing more is loaded. */
  failure: AppError | null;
}

/**
 * Campaigns of the active profile in full, which the list does not give: for search, bulk changes and exports. They stay in memory as they
 * were read, with their age; another profile begins anew.
 */
export interface FullCampaigns extends AsyncDisposable {
  /** Reads these campaigns, or all of the account, and takes the place of a load that runs. Those read since `newerThanMs` are not read again. */
  load(cids: readonly number[] | 'all', newerThanMs?: number): void;
  /** Stops the load; what was read stays. */
  stop(): void;
  /** Reads those of them anew that were read before, beside a load: they were changed. */
  refresh(cids: readonly number[]): void;
  state(): FullLoad;
  find(cid: number): FullCampaign | null;
  all(): FullCampaign[];
  /** Resolves when no load runs. */
  settled(): Promise<void>;
}

export interface FullCampaignsOptions {
  connections: Pick<Connections, 'current' | 'of'>;
  campaignCache: Pick<CampaignCache, 'keepCampaign'>;
  clock: Clock;
  /** Called at most every {@link reportEveryMs} while a load runs, and at its end. */
  onChange(): void;
}

const reportEveryMs = 250;
const idle: FullLoad = { isRunning: false, done: 0, total: 0, failed: [], failure: null };

export function createFullCampaigns({
  connections,
  campaignCache,
  clock,
  onChange,
}: FullCampaignsOptions): FullCampaigns {
  /** Reads of each connection; one with other addresses or credentials has none. */
  const known = new WeakMap<Connection, Map<number, FullCampaign>>();
  let load = idle;
  let abort = new AbortController();
  const oneLoad = createSerialQueue();
  let running: Promise<void> = Promise.resolve();
  const ended = new AbortController();
  const oneRefresh = createSerialQueue();
  let refreshing: Promise<void> = Promise.resolve();
  let reportedAtMs = -Infinity;
  let cancelReport: (() => void) | null = null;

  function campaignsOf(connection: Connection): Map<number, FullCampaign> {
    const found = known.get(connection) ?? new Map<number, FullCampaign>();
    known.set(connection, found);
    return found;
  }

  /** Progress that comes too soon after the last report is reported later, so that a load that stands still shows where. */
  function report(isLast = false): void {
    const now = clock.nowMs();
    if (!isLast && now - reportedAtMs < reportEveryMs) {
      cancelReport ??= clock.after(reportEveryMs, () => report(true));
      return;
    }
    cancelReport?.();
    cancelReport = null;
    reportedAtMs = now;
    onChange();
  }

  async function read(connection: Connection, cid: number, signal: AbortSignal): Promise<void> {
    const { raw, edit } = await connection.member.get(cid, signal);
    if (connections.of(connection.profile.id) !== connection) return;
    campaignCache.keepCampaign(connection.profile.id, cid, raw);
    campaignsOf(connection).set(cid, { cid, edit, readAtMs: clock.nowMs() });
  }

  async function readOne(connection: Connection, cid: number, signal: AbortSignal): Promise<void> {
    try {
      await read(connection, cid, signal);
      if (signal.aborted) return;
    } catch (failure) {
      if (signal.aborted) throw failure;
      if (!(failure instanceof AppError)) throw failure;
      const { code, message } = failure;
      load = {
        ...load,
        failed: [...load.failed, { cid, message, isUnknown: code === 'campaign_not_found' }],
      };
    }
    load = { ...load, done: load.done + 1 };
    report();
  }

  async function readAll(
    connection: Connection,
    {
      cids,
      newerThanMs,
      signal,
    }: { cids: readonly number[] | 'all'; newerThanMs: number; signal: AbortSignal },
  ): Promise<void> {
    const wanted = cids === 'all' ? (await everyRow(connection.member, signal)).map(({ cid }) => cid) : cids;
    const earlier = campaignsOf(connection);
    const missing = wanted.filter((cid) => (earlier.get(cid)?.readAtMs ?? -Infinity) < newerThanMs);
    load = { ...load, total: wanted.length, done: wanted.length - missing.length };
    await mapConcurrently(missing, concurrentReads, (cid) => readOne(connection, cid, signal));
  }

  async function run(job: Parameters<typeof readAll>[1]): Promise<void> {
    try {
      await readAll(connections.current(), job);
    } catch (failure) {
      if (job.signal.aborted) return;
      if (!(failure instanceof AppError)) throw failure;
      load = { ...load, failure };
    } finally {
      if (!job.signal.aborted) {
        load = { ...load, isRunning: false };
        report(true);
      }
    }
  }

  async function readAnew(connection: Connection, cids: readonly number[]): Promise<void> {
    try {
      await mapConcurrently(cids, concurrentReads, (cid) => read(connection, cid, ended.signal));
    } catch (failure) {
      // The service does not answer: they keep the age of their last read.
      if (!ended.signal.aborted && !(failure instanceof AppError)) throw failure;
    }
    if (!ended.signal.aborted) report(true);
  }

  function stop(): void {
    abort.abort();
    load = { ...load, isRunning: false };
    report(true);
  }

  return {
    load(cids, newerThanMs = Infinity) {
      abort.abort();
      abort = new AbortController();
      load = { ...idle, isRunning: true, total: cids === 'all' ? 0 : cids.length };
      const job = { cids, newerThanMs, signal: abort.signal };
      running = oneLoad(() => run(job));
    },
    stop,
    refresh(cids) {
      const connection = connections.current();
      const changed = cids.filter((cid) => campaignsOf(connection).has(cid));
      if (changed.length > 0) refreshing = oneRefresh(() => readAnew(connection, changed));
    },
    state: () => load,
    find: (cid) => campaignsOf(connections.current()).get(cid) ?? null,
    all: () => [...campaignsOf(connections.current()).values()],
    settled: () => running,
    async dispose() {
      abort.abort();
      ended.abort();
      await Promise.all([running, refreshing]);
      cancelReport?.();
    },
  };
}

/** The state for the pages. */
export function fullStateOf(campaigns: Pick<FullCampaigns, 'state' | 'all'>): FullState {
  const { failure, ...progress } = campaigns.state();
  const read = campaigns.all();
  return {
    ...progress,
    failure: failure && { message: failure.message, next: failure.next },
    loaded: read.length,
    oldestReadAtMs: read.reduce<number | null>(
      (least, { readAtMs }) => Math.min(least ?? readAtMs, readAtMs),
      null,
    ),
  };
}
