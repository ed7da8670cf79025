import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { Profiles, Profile } from '#core/profiles/index.ts';
import type { AppStore } from '#core/store/app/index.ts';
import {
  type AppEvent,
  maxViews,
  type AppHandlers,
  type ReportView,
  maxMarks,
  type Mark,
  type MarkFigures,
  type MarkTarget,
} from '#shared/app-api/index.ts';
import { createAlerts, type Alerts } from './alerts/alerts.ts';
import type { DaySumsReader } from './figures.ts';
import { AppError } from '#shared/errors/index.ts';
import { isSameName } from '#shared/lib/folded-text.ts';
import { serviceDay } from '#shared/campaign/index.ts';
import { addDays, daysIn, type DayRange } from '#shared/reports/index.ts';
import { sentence } from '#shared/lib/sentence.ts';

interface ReportNotesOptions {
  store: AppStore;
  figures: DaySumsReader;
  profiles: Profiles;
  clock: Clock;
  serviceClock: Pick<Clock, 'nowMs'>;
  ids: Ids;
  logger: Logger;
  emit(event: AppEvent): void;
}

/** Marks, views and alerts of reports. They are stored on this machine and never sent to a service. */
export interface ReportNotes extends AsyncDisposable {
  requests: Marks & Views & Alerts['requests'];
  switchOffAlerts(profileId: string): void;
  forget(profileId: string): void;
}

export function createReportNotes(options: ReportNotesOptions): ReportNotes {
  const { store, figures, profiles, clock, serviceClock, ids, logger, emit } = options;
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

interface ViewsOptions {
  store: Pick<AppStore, 'reportViews' | 'transaction'>;
  profileId(): string;
  clock: Clock;
  ids: Ids;
  onChange(): void;
}

type Views = Pick<AppHandlers, Extract<keyof AppHandlers, `reports.views.${string}`>>;

export function createViews({ store, profileId, clock, ids, onChange }: ViewsOptions): Views {
  const rows = store.reportViews;

  function change<T>(work: (profile: string, views: ReportView[]) => T): T {
    const profile = profileId();
    const result = store.transaction(() => work(profile, rows.all(profile)));
    onChange();
    return result;
  }

  return {
    'reports.views.list': async () => ({ items: rows.all(profileId()) }),
    'reports.views.save': async ({ name, query }) =>
      change((profile, views) => {
        assertNameFree(views, name);
        if (views.length >= maxViews) throw new AppError('view_limit');
        const view = { id: ids.id(), name: name.normalize(), query, savedAtMs: clock.nowMs() };
        rows.add(profile, view);
        return { ...view, start: false };
      }),
    'reports.views.overwrite': async ({ id, query }) =>
      change((profile, views) => {
        assertKnown(views, id);
        rows.overwrite(profile, { id, query, savedAtMs: clock.nowMs() });
        return null;
      }),
    'reports.views.rename': async ({ id, name }) =>
      change((profile, views) => {
        assertKnown(views, id);
        const others = views.filter((view) => view.id !== id);
        assertNameFree(others, name);
        rows.rename(profile, { id, name: name.normalize() });
        return null;
      }),
    'reports.views.remove': async ({ id }) =>
      change((profile) => {
        rows.remove(profile, id);
        return null;
      }),
    'reports.views.reorder': async ({ ids: wanted }) =>
      change((profile, views) => {
        const knownIds = wanted.filter((id) => views.some((view) => view.id === id));
        const rest = views.filter(({ id }) => !wanted.includes(id)).map(({ id }) => id);
        rows.reorder(profile, [...new Set(knownIds), ...rest]);
        return null;
      }),
    'reports.views.setStart': async ({ id }) =>
      change((profile, views) => {
        if (id !== null) assertKnown(views, id);
        rows.setStart(profile, id);
        return null;
      }),
  };
}

function assertKnown(views: readonly ReportView[], id: string): void {
  if (!views.some((view) => view.id === id)) throw new AppError('view_unknown');
}

function assertNameFree(views: readonly ReportView[], name: string): void {
  if (views.some((view) => isSameName(view.name, name))) throw new AppError('view_name_taken');
}

interface MarksOptions {
  store: Pick<AppStore, 'reportMarks' | 'transaction'>;
  figures: Pick<DaySumsReader, 'sumsOf'>;
  profile(): Pick<Profile, 'id' | 'zone'>;
  clock: Clock;
  serviceClock: Pick<Clock, 'nowMs'>;
  ids: Ids;
  onChange(): void;
}

type Marks = Pick<AppHandlers, Extract<keyof AppHandlers, `reports.marks.${string}`>>;

export function createMarks(options: MarksOptions): Marks {
  const { store, figures, profile, clock, serviceClock, ids, onChange } = options;
  const rows = store.reportMarks;

  async function figuresOf(
    profileId: string,
    { source, dimension, value }: MarkTarget,
    range: DayRange,
  ): Promise<MarkFigures | null> {
    const { sums, complete } = await figures.sumsOf({
      profileId,
      source,
      only: { dimension, value },
      range,
    });
    return Object.keys(sums).length === 0 ? null : { range, sums, complete };
  }

  function currentRange({ figuresThen }: Mark, zone: string): DayRange {
    const to = addDays(serviceDay(serviceClock.nowMs(), zone).date, -1);
    return { from: addDays(to, 1 - (figuresThen === null ? 7 : daysIn(figuresThen.range))), to };
  }

  return {
    'reports.marks.list': async () => ({ items: rows.all(profile().id) }),
    async 'reports.marks.set'({ target, sign, note, range }) {
      if (sign === 'note' && note === '') {
        throw new AppError('validation_failed', {
          fields: [{ field: 'note', code: 'required', message: sentence`Enter a note, or choose a sign.` }],
        });
      }
      const { id: profileId } = profile();
      const figuresThen = await figuresOf(profileId, target, range);
      const mark = store.transaction(() => {
        const marks = rows.all(profileId);
        const before = marks.find((one) => isSameTarget(one, target));
        if (before === undefined && marks.length >= maxMarks) throw new AppError('mark_limit');
        // Changing the note keeps time and figures of the mark.
        const judged = before?.sign === sign ? before : { markedAtMs: clock.nowMs(), figuresThen };
        const made = {
          ...target,
          id: before?.id ?? ids.id(),
          sign,
          note,
          markedAtMs: judged.markedAtMs,
          figuresThen: judged.figuresThen,
        };
        rows.put(profileId, made);
        return made;
      });
      onChange();
      return mark;
    },
    async 'reports.marks.remove'({ ids: removedIds }) {
      const { id: profileId } = profile();
      store.transaction(() => removedIds.forEach((id) => rows.remove(profileId, id)));
      onChange();
      return null;
    },
    async 'reports.marks.now'({ ids: wanted }) {
      const { id: profileId, zone } = profile();
      const marks = rows.all(profileId).filter(({ id }) => wanted.includes(id));
      const items = [];
      for (const mark of marks) {
        items.push({ id: mark.id, figures: await figuresOf(profileId, mark, currentRange(mark, zone)) });
      }
      return { items };
    },
  };
}

function isSameTarget(left: MarkTarget, right: MarkTarget): boolean {
  return (
    left.dimension === right.dimension &&
    left.value === right.value &&
    JSON.stringify(left.source) === JSON.stringify(right.source)
  );
}
