import type { Connection, Connections } from '#core/connections/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import { createTaskTools, type TaskList } from '#core/service-client/index.ts';
import type { ScheduledTask } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';

export interface TaskReading {
  tasks: readonly ScheduledTask[];
  unreadable: number;
  readAtMs: number | null;
  isReading: boolean;
  failure: AppError | null;
  sources: { tids: number[]; sids: number[] } | null;
}

export interface TaskReader extends AsyncDisposable {
  of(profileId: string): TaskReading;
  /** Concurrent callers share one read. Never fails. */
  read(profileId: string): Promise<void>;
  readSoon(): void;
  forget(profileId: string): void;
}

export interface TaskReaderOptions {
  connections: Pick<Connections, 'of'>;
  watched(): string | null;
  clock: Clock;
  serviceClock: Pick<Clock, 'nowMs'>;
  logger: Logger;
  /** Called before `onChange`. */
  onRead(profileId: string, list: TaskList): Promise<void>;
  onChange(): void;
}

const defaultIntervalMs = 5 * 60_000;
const firstMs = 15_000;
const afterDueMs = 2_000;
const soonMs = 500;
const maxIntervalMs = 30 * 60_000;
const leastMs = 10_000;

const nothingRead: TaskReading = {
  tasks: [],
  unreadable: 0,
  readAtMs: null,
  isReading: false,
  failure: null,
  sources: null,
};

export function createTaskReader(options: TaskReaderOptions): TaskReader {
  const { connections, watched, clock, serviceClock, logger, onRead, onChange } = options;
  const readings = new Map<string, TaskReading>();
  const underWay = new Map<string, Promise<void>>();
  let failures = 0;
  let isWanted = false;
  let cancelTimer = (): void => {};
  const ended = new AbortController();

  const of = (profileId: string): TaskReading => readings.get(profileId) ?? nothingRead;

  function set(profileId: string, change: Partial<TaskReading>): void {
    readings.set(profileId, { ...of(profileId), ...change });
    onChange();
  }

  function read(profileId: string): Promise<void> {
    const running = underWay.get(profileId);
    if (running !== undefined) return running;
    const reading = readNow(profileId).finally(() => {
      underWay.delete(profileId);
      if (profileId !== watched()) return;
      wakeIn(isWanted && of(profileId).failure === null ? soonMs : pauseOf(profileId));
    });
    underWay.set(profileId, reading);
    return reading;
  }

  async function readNow(profileId: string): Promise<void> {
    if (profileId === watched()) isWanted = false;
    set(profileId, { isReading: true });
    try {
      const connection = connections.of(profileId);
      const list = await listOf(connection);
      // The profile got another service or sign-in during the read.
      if (ended.signal.aborted || connections.of(profileId) !== connection) {
        set(profileId, { isReading: false });
        return;
      }
      await onRead(profileId, list);
      failures = 0;
      set(profileId, { ...list, isReading: false, failure: null, readAtMs: clock.nowMs() });
    } catch (failure) {
      if (!(failure instanceof AppError))
        logger.error({ failure }, 'The tasks of a service could not be read');
      failures += 1;
      const known = failure instanceof AppError ? failure : new AppError('internal', { cause: failure });
      if (!ended.signal.aborted) set(profileId, { isReading: false, failure: known });
    }
  }

  async function listOf({ remote, profile }: Connection) {
    const tools = createTaskTools(remote);
    const list = await tools.list(ended.signal);
    const sources = of(profile.id).sources ?? (await tools.sources().catch(() => null));
    return { ...list, sources };
  }

  function pauseOf(profileId: string): number {
    const { tasks, failure } = of(profileId);
    if (failure !== null) {
      const asked = failure.data['retryAfterSeconds'];
      const askedMs = typeof asked === 'number' ? asked * 1000 : 0;
      return Math.max(askedMs, Math.min(leastMs * 2 ** (failures - 1), maxIntervalMs));
    }
    if (tasks.some(({ lastRun }) => lastRun?.outcome === 'running')) return leastMs;
    const dueMs = tasks.map(({ nextDueAt }) => Date.parse(nextDueAt ?? '')).filter((ms) => !Number.isNaN(ms));
    return Math.min(
      defaultIntervalMs,
      Math.max(leastMs, Math.min(...dueMs) + afterDueMs - serviceClock.nowMs()),
    );
  }

  function wakeIn(delayMs: number): void {
    cancelTimer();
    if (!ended.signal.aborted) cancelTimer = clock.after(delayMs, look);
  }

  function look(): void {
    const profileId = watched();
    if (profileId === null) wakeIn(defaultIntervalMs);
    else void read(profileId);
  }

  wakeIn(firstMs);
  return {
    of,
    read,
    readSoon() {
      isWanted = true;
      wakeIn(soonMs);
    },
    forget(profileId) {
      readings.delete(profileId);
    },
    async dispose() {
      ended.abort();
      cancelTimer();
      await Promise.allSettled(underWay.values());
    },
  };
}
