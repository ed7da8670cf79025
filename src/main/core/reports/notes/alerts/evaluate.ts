import type { AppStore } from '#core/store/app/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { AlertReadingView, AlertRule, AlertView, ReportSource } from '#shared/app-api/index.ts';
import { serviceDay } from '#shared/campaign/index.ts';
import { AppError } from '#shared/errors/index.ts';
import {
  alertDays,
  exactText,
  followAlert,
  readAlert,
  type AlertReading,
  type DayRange,
} from '#shared/reports/index.ts';
import type { DaySumsRequest, DaySumsReader } from '../figures.ts';

export interface EvaluateOptions {
  store: Pick<AppStore, 'reportAlerts' | 'transaction'>;
  figures: Pick<DaySumsReader, 'sumsOf'>;
  clock: Pick<Clock, 'nowMs'>;
  serviceClock: Pick<Clock, 'nowMs'>;
  logger: Logger;
  onCrossed(alertId: string): void;
}

export interface AlertProfile {
  id: string;
  zone: string;
}

const maxDecimals = 9;

export function daySumsRequests(
  { id, zone }: AlertProfile,
  rule: AlertRule,
  nowMs: number,
): DaySumsRequest[] {
  const { range, before } = alertDays(rule, serviceDay(nowMs, zone).date);
  const ask = { profileId: id, source: rule.source, only: rule.only };
  return [range, ...(before === null ? [] : [before])].map((days) => ({ ...ask, range: days }));
}

interface Evaluation {
  reading: AlertReading;
  upToDate: boolean;
}

/**
 * Evaluates alerts from cached figures, of all sources if `source` is null. Skips alerts that changed since they were read. Logs
 * a failure and continues with the other alerts.
 */
export async function evaluateAlerts(
  { store, figures, clock, serviceClock, logger, onCrossed }: EvaluateOptions,
  profile: AlertProfile,
  source: ReportSource | null,
): Promise<void> {
  const alerts = store.reportAlerts
    .all(profile.id)
    .filter(({ on, rule }) => on && (source === null || hasEqualJson(rule.source, source)));
  for (const alert of alerts) {
    const [now, before] = daySumsRequests(profile, alert.rule, serviceClock.nowMs());
    if (now === undefined) continue;
    try {
      const evaluation = await read(alert, now, before);
      if (storeEvaluation(profile.id, alert, now.range, evaluation)) onCrossed(alert.id);
    } catch (failure) {
      if (isShuttingDown(failure)) return;
      logger.error({ failure, alert: alert.id }, 'An alert could not be evaluated');
    }
  }

  /** Figures that cannot be computed count as unknown, because the next check may succeed. */
  async function read(
    { id, rule }: AlertView,
    now: DaySumsRequest,
    before: DaySumsRequest | undefined,
  ): Promise<Evaluation> {
    let days;
    try {
      days = {
        now: await figures.sumsOf(now),
        before: before === undefined ? null : await figures.sumsOf(before),
      };
    } catch (failure) {
      if (isShuttingDown(failure)) throw failure;
      logger.error({ failure, alert: id }, 'The figures of an alert could not be computed');
      return { reading: { kind: 'unknown', because: 'not-computed' }, upToDate: false };
    }
    const upToDate = days.now.isUpToDate && days.before?.isUpToDate !== false;
    return { reading: readAlert(rule.source.kind, rule, days), upToDate };
  }

  function storeEvaluation(
    profileId: string,
    alert: AlertView,
    range: DayRange,
    { reading, upToDate }: Evaluation,
  ): boolean {
    return store.transaction(() => {
      const current = store.reportAlerts.all(profileId).find(({ id }) => id === alert.id);
      if (current === undefined || !current.on || !hasEqualJson(current.rule, alert.rule)) return false;
      const atMs = clock.nowMs();
      const { state, event } = followAlert(current.state, reading);
      const sinceMs = event === null ? current.sinceMs : atMs;
      const checkedAtMs = upToDate ? atMs : current.checkedAtMs;
      const readingView = { ...textsOf(reading), range };
      store.reportAlerts.put(profileId, { ...current, state, sinceMs, checkedAtMs, reading: readingView });
      if (event === null) return false;
      const { now, before } = readingView;
      store.reportAlerts.addEvent(profileId, {
        alertId: alert.id,
        kind: event,
        atMs,
        rule: alert.rule,
        range,
        now,
        before,
      });
      return event === 'crossed';
    });
  }
}

function textsOf(reading: AlertReading): Omit<AlertReadingView, 'range'> {
  const { kind } = reading;
  if (kind === 'too-little') return { kind, because: null, now: null, before: null };
  if (kind === 'unknown') return { kind, because: reading.because, now: null, before: null };
  const { now, before } = reading;
  return {
    kind,
    because: null,
    now: exactText(now, maxDecimals),
    before: before && exactText(before, maxDecimals),
  };
}

const isShuttingDown = (failure: unknown): boolean =>
  failure instanceof AppError && failure.code === 'shutting_down';

export const hasEqualJson = (left: object, right: object): boolean =>
  JSON.stringify(left) === JSON.stringify(right);
