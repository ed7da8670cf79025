import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { Profiles } from '#core/profiles/index.ts';
import type { AppStore } from '#core/store/app/index.ts';
import type { AppEvent } from '#shared/app-api/index.ts';
import type { ReportReader } from '../load/report-reader.ts';
import type { ReportWorker } from '../worker/report-worker-client.ts';
import { createAlerts, type Alerts } from './alerts/alerts.ts';
import { createDaySumsReader } from './day-sums.ts';
import { createMarks, type Marks } from './marks.ts';
import { createViews, type Views } from './views.ts';

export interface ReportNotesOptions {
  store: AppStore;
  reader: ReportReader;
  worker: ReportWorker;
  profiles: Profiles;
  clock: Clock;
  /** Tells which day the service has. */
  serviceClock: Pick<Clock, 'nowMs'>;
  ids: Ids;
  logger: Logger;
  emit(event: AppEvent): void;
}

/** The user's own notes on reports: marks, saved views and alerts. No service knows them. */
export interface ReportNotes extends AsyncDisposable {
  requests: Marks & Views & Alerts['requests'];
  /** The address of a profile changed: its alerts are off, and say why. Joins the transaction it is called in. */
  switchOffAlerts(profileId: string): void;
  /** Removes the notes of a profile. Joins the transaction it is called in. */
  forget(profileId: string): void;
}

export function createReportNotes(options: ReportNotesOptions): ReportNotes {
  const { store, profiles, clock, serviceClock, ids, logger, emit } = options;
  const figures = createDaySumsReader(options);
  const parts = {
    store,
    figures,
    clock,
    serviceClock,
    ids,
    profileId: () => profiles.current().id,
    onChange: () => emit({ kind: 'reports.changed' }),
  };
  const alerts = createAlerts({
    ...parts,
    profileOf: (id) => profiles.list().find((profile) => profile.id === id) ?? null,
    logger,
    emit,
  });
  return {
    requests: {
      ...createMarks({ ...parts, profile: () => profiles.current() }),
      ...createViews(parts),
      ...alerts.requests,
    },
    switchOffAlerts: alerts.switchOffAll,
    forget(profileId) {
      store.reportMarks.forget(profileId);
      store.reportViews.forget(profileId);
      store.reportAlerts.forget(profileId);
      alerts.forget(profileId);
    },
    dispose: alerts.dispose,
  };
}
