import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import { createSerialQueue } from '#shared/lib/serial-queue.ts';
import type { AppStore } from '#core/store/app/index.ts';
import type { AlertChecks, AlertView } from '#shared/app-api/index.ts';
import { AppError, encodeError, type ErrorCode } from '#shared/errors/index.ts';
import type { DaySumsRequest, DaySumsReader } from '../figures.ts';
import { type AlertProfile, daySumsRequests } from './evaluate.ts';

const hourMs = 3_600_000;
const firstPauseMs = 5 * 60_000;
const maxPauseMs = 6 * hourMs;

function createRequestCounter(clock: Pick<Clock, 'monotonicMs'>) {
  let sentAtMs: number[] = [];
  return {
    used() {
      const sinceMs = clock.monotonicMs() - hourMs;
      sentAtMs = sentAtMs.filter((atMs) => atMs > sinceMs);
      return sentAtMs.length;
    },
    add: () => void sentAtMs.push(clock.monotonicMs()),
  };
}

function pauseAfter(failures: number): number {
  return failures === 0 ? hourMs : Math.min(maxPauseMs, firstPauseMs * 2 ** (failures - 1));
}

const maxRequestsPerHour = 24;

/** Failures that concern one report only. After any other failure, such as an unreachable service, the next report would fail too. */
const failuresOfReport: ReadonlySet<ErrorCode> = new Set([
  'source_forbidden',
  'validation_failed',
  'service_answer_unreadable',
  'number_too_large',
  'report_too_large',
  'report_worker_failed',
]);

const firstCheckDelayMs = 60_000;

export interface HourlyChecksOptions {
  store: Pick<AppStore, 'reportAlerts'>;
  figures: Pick<DaySumsReader, 'read'>;
  profileOf(id: string): AlertProfile | null;
  evaluate(profile: AlertProfile): Promise<void>;
  clock: Clock;
  serviceClock: Pick<Clock, 'nowMs'>;
  logger: Logger;
  onChange(): void;
}

/** Checks alerts once an hour within a request budget. If the budget does not suffice, alerts take turns. */
export interface HourlyChecks extends AsyncDisposable {
  plan(): void;
  prioritize(profileId: string, alertId: string): void;
  /** Resolves also after an expected failure, which `report` then contains. */
  check(profileId: string): Promise<void>;
  report(profileId: string): AlertChecks;
  forget(profileId: string): void;
}

interface CheckPlan {
  nextAtMs: number;
  failures: number;
  failure: AlertChecks['failure'];
  requests: ReturnType<typeof createRequestCounter>;
  /** Number of the latest check of each alert, failed checks included. A higher number is a later check. */
  checkNumbers: Map<string, number>;
}

export function createHourlyChecks(options: HourlyChecksOptions): HourlyChecks {
  const { store, figures, profileOf, evaluate, clock, serviceClock, logger, onChange } = options;
  const requests = createRequestCounter(clock);
  const enqueue = createSerialQueue();
  const ended = new AbortController();
  const plans = new Map<string, CheckPlan>();
  let lastCheckNumber = 0;
  let cancel = (): void => {};
  plan();

  function planOf(id: string): CheckPlan {
    const known = plans.get(id);
    if (known !== undefined) return known;
    const nextAtMs = clock.nowMs() + firstCheckDelayMs;
    const made: CheckPlan = {
      nextAtMs,
      failures: 0,
      failure: null,
      requests: createRequestCounter(clock),
      checkNumbers: new Map(),
    };
    plans.set(id, made);
    return made;
  }

  /** Profiles share the hourly requests equally, so that no profile waits forever. */
  function requestsPerProfile(): number {
    return Math.max(1, Math.floor(maxRequestsPerHour / Math.max(1, plans.size)));
  }

  function remainingRequests(planned: CheckPlan): number {
    return Math.max(
      0,
      Math.min(requestsPerProfile() - planned.requests.used(), maxRequestsPerHour - requests.used()),
    );
  }

  function plan(): void {
    cancel();
    if (ended.signal.aborted) return;
    const nowMs = clock.nowMs();
    const profiles = store.reportAlerts.profilesWithAlerts().filter((id) => profileOf(id) !== null);
    for (const id of plans.keys()) if (!profiles.includes(id)) plans.delete(id);
    for (const id of profiles) planOf(id);
    if (plans.size === 0) return;
    // Without this limit, a clock that was set back would delay the checks.
    for (const one of plans.values()) one.nextAtMs = Math.min(one.nextAtMs, nowMs + pauseAfter(one.failures));
    const nextAtMs = Math.min(...[...plans.values()].map((one) => one.nextAtMs));
    cancel = clock.after(Math.max(0, nextAtMs - nowMs), () => void checkDue());
  }

  async function checkDue(): Promise<void> {
    const due = [...plans].filter(([, { nextAtMs }]) => nextAtMs <= clock.nowMs());
    for (const [id] of due) await check(id);
    // The timer ended slightly before the due time, because it uses another clock than the time of day.
    if (due.length === 0) plan();
  }

  function orderedAlerts(profile: AlertProfile, { checkNumbers: turns }: CheckPlan): AlertView[] {
    const checkNumberOf = ({ id }: AlertView): number => turns.get(id) ?? 0;
    return store.reportAlerts
      .all(profile.id)
      .filter(({ on }) => on)
      .toSorted(
        (left, right) =>
          checkNumberOf(left) - checkNumberOf(right) || (left.checkedAtMs ?? 0) - (right.checkedAtMs ?? 0),
      );
  }

  /**
   * Reads each range once for all alerts, because reads have a budget. Alerts beyond it come first next time. Resolves to the
   * first failure.
   */
  async function readAll(profile: AlertProfile, planned: CheckPlan): Promise<AppError | null> {
    const tried = new Set<string>();
    let first: AppError | null = null;
    for (const { id, rule } of orderedAlerts(profile, planned)) {
      let failure: unknown = null;
      try {
        for (const ask of daySumsRequests(profile, rule, serviceClock.nowMs())) {
          const key = JSON.stringify(ask);
          if (tried.has(key)) continue;
          tried.add(key);
          if (!(await read(ask, planned))) return first;
        }
      } catch (error) {
        failure = error;
      }
      // Counts a failed check too, so that a lasting failure does not delay the other alerts.
      planned.checkNumbers.set(id, (lastCheckNumber += 1));
      if (failure === null) continue;
      if (!(failure instanceof AppError)) throw failure;
      first ??= failure;
      if (!failuresOfReport.has(failure.code)) break;
    }
    return first;
  }

  async function read(ask: DaySumsRequest, planned: CheckPlan): Promise<boolean> {
    const max = remainingRequests(planned);
    if (max === 0) return false;
    return figures.read(ask, {
      max,
      onRequest() {
        requests.add();
        planned.requests.add();
      },
      signal: ended.signal,
    });
  }

  async function checkNow(id: string): Promise<void> {
    const profile = profileOf(id);
    if (profile === null || ended.signal.aborted) return;
    const planned = planOf(id);
    let failure: AppError | null;
    try {
      failure = await readAll(profile, planned);
    } catch (error) {
      if (ended.signal.aborted) return;
      logger.error({ failure: error }, 'The days of alerts could not be read');
      failure = new AppError('internal', { cause: error });
    }
    if (ended.signal.aborted) return;
    planned.failures = failure === null ? 0 : planned.failures + 1;
    planned.nextAtMs = clock.nowMs() + pauseAfter(planned.failures);
    planned.failure = failure && encodeError(failure);
    // Plans the next check first, so that a failure below cannot prevent it.
    plan();
    await evaluate(profile);
    onChange();
  }

  function check(id: string): Promise<void> {
    return enqueue(() => checkNow(id)).catch((failure: unknown) =>
      logger.error({ failure }, 'Alerts could not be checked'),
    );
  }

  return {
    plan,
    prioritize: (profileId, alertId) => void plans.get(profileId)?.checkNumbers.delete(alertId),
    check,
    report(profileId) {
      const planned = plans.get(profileId);
      const { failure = null, nextAtMs = null } = planned ?? {};
      const shown = failure && { code: failure.code, message: failure.message, next: failure.next };
      return {
        usedRequests: planned?.requests.used() ?? 0,
        maxRequests: requestsPerProfile(),
        nextCheckAtMs: nextAtMs,
        failure: shown,
      };
    },
    forget: (profileId) => void plans.delete(profileId),
    async dispose() {
      ended.abort();
      cancel();
      await enqueue(async () => {});
    },
  };
}
