import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import { createSerialQueue } from '#core/platform/serial-queue.ts';
import type { AppStore } from '#core/store/app/index.ts';
import type { AlertChecks } from '#shared/app-api/index.ts';
import { AppError, encodeError, type ErrorCode } from '#shared/errors/index.ts';
import type { DaySumsAsk, DaySumsReader } from '../day-sums.ts';
import { type AlertProfile, asksOf } from './evaluate.ts';

const hourMs = 3_600_000;
const firstPauseMs = 5 * 60_000;
const longestPauseMs = 6 * hourMs;

/** Limit on the requests of checks within any hour. */
export interface RequestBudget {
  readonly max: number;
  used(): number;
  /** Counts a request. */
  spend(): void;
  /** Number of requests that are left now; never below 0. */
  left(): number;
}

/** An hour is the last sixty minutes, whatever happens to the time of day. */
function createRequestBudget(clock: Pick<Clock, 'monotonicMs'>, max: number): RequestBudget {
  let spentAtMs: number[] = [];
  function used(): number {
    const sinceMs = clock.monotonicMs() - hourMs;
    spentAtMs = spentAtMs.filter((atMs) => atMs > sinceMs);
    return spentAtMs.length;
  }
  return {
    max,
    used,
    spend: () => void spentAtMs.push(clock.monotonicMs()),
    left: () => Math.max(0, max - used()),
  };
}

/** The pause before the next check: an hour, or after failures in a row 5, 10, 20 … minutes, six hours at most. */
function pauseAfter(failures: number): number {
  return failures === 0 ? hourMs : Math.min(longestPauseMs, firstPauseMs * 2 ** (failures - 1));
}

/** Requests of all alerts together within an hour. */
const maxRequestsPerHour = 24;

/** Failures of one report: the next one may be read all the same. After others, such as an unreachable service, it would fail too. */
const failuresOfReport: ReadonlySet<ErrorCode> = new Set([
  'source_forbidden',
  'validation_failed',
  'service_answer_unreadable',
  'number_too_large',
  'report_too_large',
  'report_worker_failed',
]);

/** After the start, when it is quiet. */
const firstCheckMs = 60_000;

export interface HourlyChecksOptions {
  store: Pick<AppStore, 'reportAlerts'>;
  figures: Pick<DaySumsReader, 'read'>;
  /** A profile that can be asked; null where this host does not work with it. */
  profileOf(id: string): AlertProfile | null;
  /** Evaluates the profile's alerts from what was read; their own failures are not its failure. */
  evaluate(profile: AlertProfile): Promise<void>;
  clock: Clock;
  /** Tells which day the service has. */
  serviceClock: Pick<Clock, 'nowMs'>;
  logger: Logger;
  onChange(): void;
}

/** Reads the days of the alerts that are on once an hour, within a request budget, and evaluates them. */
export interface HourlyChecks extends AsyncDisposable {
  /** An alert was switched on, or off: the next check follows. */
  plan(): void;
  /** Checks the profile now. Never fails for an expected failure: `report` names it. */
  check(profileId: string): Promise<void>;
  report(profileId: string): AlertChecks;
  forget(profileId: string): void;
}

interface Plan {
  nextAtMs: number;
  failures: number;
  failure: AlertChecks['failure'];
}

export function createHourlyChecks(options: HourlyChecksOptions): HourlyChecks {
  const { store, figures, profileOf, evaluate, clock, serviceClock, logger, onChange } = options;
  const budget = createRequestBudget(clock, maxRequestsPerHour);
  const inTurn = createSerialQueue();
  const ended = new AbortController();
  const plans = new Map<string, Plan>();
  let cancel = (): void => {};
  plan();

  function plan(): void {
    cancel();
    if (ended.signal.aborted) return;
    const nowMs = clock.nowMs();
    const profiles = store.reportAlerts.profilesWithAlerts().filter((id) => profileOf(id) !== null);
    for (const id of plans.keys()) if (!profiles.includes(id)) plans.delete(id);
    for (const id of profiles) {
      if (!plans.has(id)) plans.set(id, { nextAtMs: nowMs + firstCheckMs, failures: 0, failure: null });
    }
    if (plans.size === 0) return;
    const nextAtMs = Math.min(...[...plans.values()].map((one) => one.nextAtMs));
    cancel = clock.after(Math.max(0, nextAtMs - nowMs), () => void checkDue());
  }

  async function checkDue(): Promise<void> {
    const due = [...plans].filter(([, { nextAtMs }]) => nextAtMs <= clock.nowMs());
    for (const [id] of due) await check(id);
    // A timer that fired before the time of day had come.
    if (due.length === 0) plan();
  }

  /** Distinct days of all alerts of the profile; those of the alert that was checked longest ago come first. */
  function asks(profile: AlertProfile): DaySumsAsk[] {
    const alerts = store.reportAlerts.all(profile.id).filter(({ on }) => on);
    const ordered = alerts.toSorted((left, right) => (left.checkedAtMs ?? 0) - (right.checkedAtMs ?? 0));
    const all = ordered.flatMap(({ rule }) => asksOf(profile, rule, serviceClock.nowMs()));
    return [...new Map(all.map((ask) => [JSON.stringify(ask), ask])).values()];
  }

  /** Resolves to the first failure. */
  async function readAll(profile: AlertProfile): Promise<AppError | null> {
    let first: AppError | null = null;
    for (const ask of asks(profile)) {
      const max = budget.left();
      if (max === 0) break;
      try {
        await figures.read(ask, { max, onRequest: budget.spend, signal: ended.signal });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        first ??= error;
        if (!failuresOfReport.has(error.code)) break;
      }
    }
    return first;
  }

  async function checkNow(id: string): Promise<void> {
    const profile = profileOf(id);
    if (profile === null || ended.signal.aborted) return;
    let failure: AppError | null;
    try {
      failure = await readAll(profile);
    } catch (error) {
      if (ended.signal.aborted) return;
      logger.error({ failure: error }, 'The days of alerts could not be read');
      failure = new AppError('internal', { cause: error });
    }
    if (ended.signal.aborted) return;
    const failures = failure === null ? 0 : (plans.get(id)?.failures ?? 0) + 1;
    const nextAtMs = clock.nowMs() + pauseAfter(failures);
    const encoded = failure && encodeError(failure);
    plans.set(id, { nextAtMs, failures, failure: encoded });
    // Planned before the figures are looked at: whatever fails there, the next check comes.
    plan();
    await evaluate(profile);
    onChange();
  }

  function check(id: string): Promise<void> {
    return inTurn(() => checkNow(id)).catch((failure: unknown) =>
      logger.error({ failure }, 'Alerts could not be checked'),
    );
  }

  return {
    plan,
    check,
    report(profileId) {
      const planned = plans.get(profileId);
      const { failure = null, nextAtMs = null } = planned ?? {};
      const shown = failure && { code: failure.code, message: failure.message, next: failure.next };
      return {
        usedRequests: budget.used(),
        maxRequests: budget.max,
        nextCheckAtMs: nextAtMs,
        failure: shown,
      };
    },
    forget: (profileId) => void plans.delete(profileId),
    async dispose() {
      ended.abort();
      cancel();
      await inTurn(async () => {});
    },
  };
}
