import type { Connection, Connections } from '#core/connections/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import { concurrentReads, mapConcurrently } from '#core/platform/work-queues.ts';
import { createSerialQueue } from '#shared/lib/serial-queue.ts';
import { readConsistentRows } from '#core/service-client/index.ts';
import type { AppOutput, FullState } from '#shared/app-api/index.ts';
import type { CampaignEdit } from '#shared/contract/index.ts';
import { AppError, type ErrorCode } from '#shared/errors/index.ts';
import { isJsonObject, jsonEqual, type JsonValue, own } from '#shared/lib/json/json-value.ts';
import { numberedQuestions } from '#shared/lib/numbered-questions.ts';
import { type CampaignCache, cachedReasonOf, oldestRead } from './campaign-cache.ts';

export interface FullCampaign {
  cid: number;
  edit: CampaignEdit;
  readAtMs: number;
}

export interface FullLoad {
  isRunning: boolean;
  done: number;
  total: number;
  /** `isUnknown`: the account has no such campaign. */
  failed: { cid: number; message: string; isUnknown: boolean }[];
  failure: AppError | null;
}

export interface FullCampaigns extends AsyncDisposable {
  /** Replaces a running load. Does not read campaigns again that were read at or after `newerThanMs`. */
  load(cids: readonly number[] | 'all', newerThanMs?: number): void;
  stop(): void;
  /** Stops a load of another profile or of a closed connection. */
  stopElsewhere(): void;
  /** Reads changed campaigns again if they were read before. */
  refresh(cids: readonly number[]): void;
  state(): FullLoad;
  /**
   * Reads these campaigns in full, except those that were read at or after `newerThanMs`. Uses earlier reads while the service
   * is unreachable. A failure that concerns one campaign is part of the result; any other failure is thrown.
   */
  some(cids: readonly number[], newerThanMs: number): Promise<SomeCampaigns>;
  find(cid: number): FullCampaign | null;
  all(): FullCampaign[];
  settled(): Promise<void>;
}

export interface SomeCampaigns {
  read: ReadonlyMap<number, FullCampaign>;
  failed: ReadonlyMap<number, string>;
}

export interface FullCampaignsOptions {
  connections: Pick<Connections, 'current' | 'of'>;
  campaignCache: Pick<CampaignCache, 'campaign' | 'keepCampaign'>;
  clock: Clock;
  /** Called at most every {@link reportEveryMs}. */
  onChange(): void;
}

interface KnownCampaigns {
  campaigns: Map<number, FullCampaign>;
  latest: CampaignEdit | undefined;
  questions: Map<number, ReturnType<typeof numberedQuestions>>;
}

const reportEveryMs = 250;
const idle: FullLoad = { isRunning: false, done: 0, total: 0, failed: [], failure: null };

interface CampaignLoad {
  readonly connection: Connection;
  readonly cids: readonly number[] | 'all';
  readonly newerThanMs: number;
  readonly abort: AbortController;
  failedInARow: number;
  progress: FullLoad;
}

/** Failures that may affect only one campaign. All others end the load. */
const ofOneCampaign: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'campaign_not_found',
  'forbidden',
  'operation_refused',
  'validation_failed',
  'service_answer_unreadable',
]);

const maxFailedInARow = concurrentReads;

function endsLoad({ cids, failedInARow }: CampaignLoad, { code }: AppError): boolean {
  if (code === 'service_failed') return failedInARow >= maxFailedInARow;
  // A campaign in the account's own list belongs to the account, so the token may not read any campaign.
  if (code === 'forbidden') return cids === 'all';
  return !ofOneCampaign.has(code);
}

export function createFullCampaigns({
  connections,
  campaignCache,
  clock,
  onChange,
}: FullCampaignsOptions): FullCampaigns {
  const known = new WeakMap<Connection, KnownCampaigns>();
  let last: CampaignLoad | null = null;
  const oneLoad = createSerialQueue();
  let running: Promise<void> = Promise.resolve();
  const ended = new AbortController();
  const oneRefresh = createSerialQueue();
  let refreshing: Promise<void> = Promise.resolve();
  let reportedAtMs = -Infinity;
  let cancelReport: (() => void) | null = null;

  function knownOf(connection: Connection): KnownCampaigns {
    const found = known.get(connection) ?? { campaigns: new Map(), latest: undefined, questions: new Map() };
    known.set(connection, found);
    return found;
  }

  const campaignsOf = (connection: Connection): Map<number, FullCampaign> => knownOf(connection).campaigns;

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
    const earlier = knownOf(connection);
    const { campaigns, questions } = earlier;
    const question = questions.get(cid) ?? numberedQuestions();
    questions.set(cid, question);
    const isNewest = question();
    const { raw, edit } = await connection.member.get(cid, signal);
    // A read that began later may have been answered earlier.
    if (connections.of(connection.profile.id) !== connection || !isNewest()) return;
    campaignCache.keepCampaign(connection.profile.id, cid, raw);
    earlier.latest = withEqualParts(withEqualParts(edit, earlier.latest), campaigns.get(cid)?.edit);
    campaigns.set(cid, { cid, edit: earlier.latest, readAtMs: clock.nowMs() });
  }

  function change(load: CampaignLoad, progress: Partial<FullLoad>): void {
    load.progress = { ...load.progress, ...progress };
  }

  async function readOne(load: CampaignLoad, cid: number): Promise<void> {
    const { connection, abort } = load;
    try {
      await read(connection, cid, abort.signal);
      load.failedInARow = 0;
    } catch (failure) {
      if (abort.signal.aborted || !(failure instanceof AppError)) throw failure;
      load.failedInARow = failure.code === 'service_failed' ? load.failedInARow + 1 : 0;
      if (endsLoad(load, failure)) throw failure;
      const { code, message } = failure;
      const failed = { cid, message, isUnknown: code === 'campaign_not_found' };
      change(load, { failed: [...load.progress.failed, failed] });
    }
    if (abort.signal.aborted) return;
    change(load, { done: load.progress.done + 1 });
    report();
  }

  async function readAll(load: CampaignLoad): Promise<void> {
    const { connection, cids, newerThanMs, abort } = load;
    const wanted =
      cids === 'all'
        ? (await readConsistentRows(connection.member, { signal: abort.signal })).rows.map(({ cid }) => cid)
        : cids;
    const earlier = campaignsOf(connection);
    const missing = wanted.filter((cid) => (earlier.get(cid)?.readAtMs ?? -Infinity) < newerThanMs);
    change(load, { total: wanted.length, done: wanted.length - missing.length });
    await mapConcurrently(missing, concurrentReads, (cid) => readOne(load, cid));
  }

  async function run(load: CampaignLoad): Promise<void> {
    const { abort } = load;
    if (abort.signal.aborted) return;
    try {
      await readAll(load);
    } catch (failure) {
      if (abort.signal.aborted) return;
      if (!(failure instanceof AppError)) throw failure;
      change(load, { failure });
    } finally {
      end(load);
    }
  }

  function end(load: CampaignLoad): void {
    if (load.abort.signal.aborted) return;
    load.abort.abort();
    change(load, { isRunning: false });
    report(true);
  }

  async function readAnew(connection: Connection, cids: readonly number[]): Promise<void> {
    try {
      await mapConcurrently(cids, concurrentReads, async (cid) => {
        try {
          await read(connection, cid, ended.signal);
        } catch (failure) {
          if (!(failure instanceof AppError) || !ofOneCampaign.has(failure.code)) throw failure;
        }
      });
    } catch (failure) {
      if (!ended.signal.aborted && !(failure instanceof AppError)) throw failure;
    }
    if (!ended.signal.aborted) report(true);
  }

  async function readSome(connection: Connection, cid: number): Promise<FullCampaign | string> {
    const earlier = campaignsOf(connection).get(cid);
    try {
      await read(connection, cid, ended.signal);
    } catch (failure) {
      const cached = earlier ?? campaignCache.campaign(connection.profile.id, cid);
      if (cachedReasonOf(failure) !== null && cached !== null) return { cid, ...cached };
      if (failure instanceof AppError && ofOneCampaign.has(failure.code)) return failure.message;
      throw failure;
    }
    return campaignsOf(connection).get(cid) ?? 'The profile was changed while it was read.';
  }

  async function some(cids: readonly number[], newerThanMs: number): Promise<SomeCampaigns> {
    const connection = connections.current();
    const result = { read: new Map<number, FullCampaign>(), failed: new Map<number, string>() };
    await mapConcurrently(cids, concurrentReads, async (cid) => {
      const known = campaignsOf(connection).get(cid);
      const found =
        known !== undefined && known.readAtMs >= newerThanMs ? known : await readSome(connection, cid);
      if (typeof found === 'string') result.failed.set(cid, found);
      else result.read.set(cid, found);
    });
    return result;
  }

  function stop(): void {
    if (last !== null) end(last);
  }

  return {
    load(cids, newerThanMs = Infinity) {
      const connection = connections.current();
      last?.abort.abort();
      const total = cids === 'all' ? 0 : cids.length;
      const progress = { ...idle, isRunning: true, total };
      const load = { connection, cids, newerThanMs, abort: new AbortController(), failedInARow: 0, progress };
      last = load;
      running = oneLoad(() => run(load));
    },
    stop,
    stopElsewhere() {
      if (last !== null && last.connection !== connections.current()) end(last);
    },
    refresh(cids) {
      const connection = connections.current();
      // A read that is running may have begun before the change.
      const changed = cids.filter((cid) => knownOf(connection).questions.has(cid));
      if (changed.length > 0) refreshing = oneRefresh(() => readAnew(connection, changed));
    },
    state: () => (last?.connection === connections.current() ? last.progress : idle),
    find: (cid) => campaignsOf(connections.current()).get(cid) ?? null,
    all: () => [...campaignsOf(connections.current()).values()],
    some,
    settled: () => running,
    async dispose() {
      last?.abort.abort();
      ended.abort();
      await Promise.all([running, refreshing]);
      cancelReport?.();
    },
  };
}

/** Shares equal parts with `other`, because copies of types, settings and lists would fill the memory. */
function withEqualParts<T>(value: T, other: T | undefined): T {
  return sharedParts(value as JsonValue, other as JsonValue | undefined) as T;
}

function sharedParts(value: JsonValue, other: JsonValue | undefined): JsonValue {
  if (other !== undefined && jsonEqual(value, other)) return other;
  if (!isJsonObject(value) || !isJsonObject(other)) return value;
  // Changed in place, because V8 stores an object built from many entries as a hash table of several times the size.
  for (const [name, part] of Object.entries(value)) value[name] = sharedParts(part, own(other, name));
  return value;
}

export function fullStateOf(campaigns: Pick<FullCampaigns, 'state' | 'all'>): FullState {
  const { failure, ...progress } = campaigns.state();
  const read = campaigns.all();
  return {
    ...progress,
    failure: failure && { message: failure.message, next: failure.next },
    loaded: read.length,
    oldestReadAtMs: oldestRead(read),
  };
}

/** Dates while the flight is off have no effect, so they are empty. */
export async function flightsOf(
  campaigns: Pick<FullCampaigns, 'some'>,
  cids: readonly number[],
): Promise<AppOutput<'campaigns.flights'>> {
  const { read } = await campaigns.some(cids, -Infinity);
  const items = [...read.values()].map(({ cid, edit: { campaign } }) => {
    const dateOf = (field: 'create' | 'expire'): string => {
      const date = own(campaign, 'enable_time') === 1 ? own(campaign, field) : '';
      return typeof date === 'string' ? date : '';
    };
    return { cid, create: dateOf('create'), expire: dateOf('expire') };
  });
  return { items };
}
