import type { Clock } from '#core/platform/clock.ts';
import { DisposableStack, type AsyncDisposable } from '#core/platform/disposable.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { Logger } from '#core/platform/logger.ts';
import { createSerialQueue } from '#shared/lib/serial-queue.ts';
import type { AppStore } from '#core/store/app/index.ts';
import {
  maxAlerts,
  type AlertReadingView,
  type AlertRule,
  type AppEvent,
  type AppHandlers,
} from '#shared/app-api/index.ts';
import { AppError, type FieldError } from '#shared/errors/index.ts';
import { isRatio, isXmlGrouping, metricOf } from '#shared/reports/index.ts';
import type { DaySumsReader } from '../figures.ts';
import { evaluateAlerts, hasEqualJson, type AlertProfile } from './evaluate.ts';
import { createHourlyChecks } from './hourly-checks.ts';
import { type Sentence, sentence } from '#shared/lib/sentence.ts';

export interface AlertsOptions {
  store: Pick<AppStore, 'reportAlerts' | 'transaction'>;
  figures: DaySumsReader;
  profileId(): string;
  /** Returns null if this host does not support the profile. */
  profileOf(id: string): AlertProfile | null;
  clock: Clock;
  serviceClock: Pick<Clock, 'nowMs'>;
  ids: Ids;
  logger: Logger;
  emit(event: AppEvent): void;
}

type AlertRequests = Pick<AppHandlers, Extract<keyof AppHandlers, `reports.alerts.${string}`>>;

/** `reports.alerts.*` of the app API. Alerts notify and never act. */
export interface Alerts extends AsyncDisposable {
  requests: AlertRequests;
  /** Call after a profile's address changed. Joins the caller's transaction. */
  switchOffAll(profileId: string): void;
  forget(profileId: string): void;
}

export function createAlerts(options: AlertsOptions): Alerts {
  const { store, figures, profileId, profileOf, clock, ids, logger, emit } = options;
  const rows = store.reportAlerts;
  const stack = new DisposableStack();
  const enqueue = createSerialQueue();
  const onChange = (): void => emit({ kind: 'reports.changed' });

  const onCrossed = (alertId: string): void => emit({ kind: 'alerts.crossed', alertId });

  function evaluate(profile: AlertProfile, source: AlertRule['source'] | null = null): Promise<void> {
    return enqueue(() => evaluateAlerts({ ...options, onCrossed }, profile, source));
  }

  const checks = stack.use(createHourlyChecks({ ...options, evaluate, onChange }));
  stack.defer(
    figures.onRead(({ profileId: id, source }) => {
      const profile = profileOf(id);
      if (profile === null || !rows.all(id).some(({ on }) => on)) return;
      evaluate(profile, source).then(onChange, (failure: unknown) =>
        logger.error({ failure }, 'Alerts could not be evaluated'),
      );
    }),
  );

  function find(id: string) {
    const alert = rows.all(profileId()).find((one) => one.id === id);
    if (alert === undefined) throw new AppError('alert_unknown');
    return alert;
  }

  function scheduleAndCheck(): void {
    checks.plan();
    onChange();
    void checks.check(profileId());
  }

  const requests: AlertRequests = {
    'reports.alerts.list': async () => ({
      items: rows.all(profileId()),
      events: rows.events(profileId()),
      checks: checks.report(profileId()),
    }),
    async 'reports.alerts.save'({ id, rule }) {
      assertRule(rule);
      const before = id === null ? null : find(id);
      if (before === null && rows.all(profileId()).length >= maxAlerts) throw new AppError('alert_limit');
      const alert = {
        id: before?.id ?? ids.id(),
        rule,
        on: before?.on ?? true,
        ...(before !== null && hasSameThreshold(before.rule, rule)
          ? { state: before.state, sinceMs: before.sinceMs }
          : { state: 'clear' as const, sinceMs: clock.nowMs() }),
        checkedAtMs: null,
        reading: null,
      };
      rows.put(profileId(), alert);
      checks.prioritize(profileId(), alert.id);
      scheduleAndCheck();
      return alert;
    },
    async 'reports.alerts.switch'({ id, on }) {
      rows.put(profileId(), { ...find(id), on });
      if (on) return (scheduleAndCheck(), null);
      checks.plan();
      onChange();
      return null;
    },
    async 'reports.alerts.remove'({ id }) {
      rows.remove(profileId(), id);
      checks.plan();
      onChange();
      return null;
    },
    async 'reports.alerts.history'({ source, only, ...trial }) {
      assertRule({ source, only, ...trial });
      return figures.historyOf({ profileId: profileId(), source, only }, trial);
    },
    async 'reports.alerts.check'() {
      await checks.check(profileId());
      return null;
    },
    async 'reports.alerts.seen'() {
      rows.see(profileId());
      onChange();
      return null;
    },
  };
  return {
    requests,
    switchOffAll(id) {
      for (const alert of rows.all(id)) {
        if (!alert.on) continue;
        const fresh = { state: 'clear' as const, sinceMs: clock.nowMs(), checkedAtMs: null };
        rows.put(id, { ...alert, ...fresh, on: false, reading: addressChangedReading });
      }
      checks.forget(id);
    },
    forget: checks.forget,
    dispose: () => stack.dispose(),
  };
}

/** Figures of the previous address cannot be compared with those of the new one. */
const addressChangedReading: AlertReadingView = {
  kind: 'unknown',
  because: 'address-changed',
  range: null,
  now: null,
  before: null,
};

/** True if only the minimum volume differs. Then a crossed alert stays crossed and does not notify again. */
function hasSameThreshold(left: AlertRule, right: AlertRule): boolean {
  return hasEqualJson({ ...left, least: null }, { ...right, least: null });
}

/** True if an alert may filter by this dimension: not by date, and in XML traffic only by contract groupings. */
function canFilterBy(source: AlertRule['source'], { dimension }: NonNullable<AlertRule['only']>): boolean {
  return dimension !== 'date' && (source.kind === 'search' || isXmlGrouping(dimension));
}

function assertRule({
  source,
  only,
  metric,
  condition,
  least,
}: Omit<AlertRule, 'condition'> & { condition: AlertRule['condition'] | null }): void {
  const fields: FieldError[] = [];
  const addError = (field: string, message: Sentence): void =>
    void fields.push({ field, code: 'invalid', message });
  if (metricOf(source.kind, metric) === undefined)
    addError('metric', sentence`Choose a metric of this report.`);
  const volume = least === null ? null : metricOf(source.kind, least.metric);
  if (volume === undefined || (volume !== null && isRatio(volume))) {
    addError('least', sentence`Choose a count of this report, not a ratio.`);
  }
  if (only !== null && !canFilterBy(source, only)) {
    addError(
      'only',
      source.kind === 'xml'
        ? sentence`Choose a country or sub-id.`
        : sentence`Choose a country, feed or sub-id.`,
    );
  }
  if (condition?.kind === 'change' && Number(condition.percent) === 0) {
    addError('percent', sentence`Enter more than 0.`);
  }
  if (condition?.kind === 'change' && condition.is === 'down' && Number(condition.percent) > 100) {
    addError('percent', sentence`Enter 100 at most.`);
  }
  if (fields.length > 0) throw new AppError('validation_failed', { fields });
}
