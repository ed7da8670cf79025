import type { Clock } from '#core/platform/clock.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { AppStore } from '#core/store/app/index.ts';
import { maxViews, type AppHandlers, type ReportView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { isSameName } from '#shared/lib/folded-text.ts';

export interface ViewsOptions {
  store: Pick<AppStore, 'reportViews' | 'transaction'>;
  /** The id of the active profile. */
  profileId(): string;
  clock: Clock;
  ids: Ids;
  onChange(): void;
}

/** Saved views (`reports.views.*` of the app API). */
export type Views = Pick<
  AppHandlers,
  | 'reports.views.list'
  | 'reports.views.save'
  | 'reports.views.overwrite'
  | 'reports.views.rename'
  | 'reports.views.remove'
  | 'reports.views.reorder'
  | 'reports.views.setStart'
>;

export function createViews({ store, profileId, clock, ids, onChange }: ViewsOptions): Views {
  const rows = store.reportViews;

  /** One transaction on the views of the active profile; pages hear of it afterwards. */
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
        assertFree(views, name);
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
        assertFree(others, name);
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
        const named = wanted.filter((id) => views.some((view) => view.id === id));
        const rest = views.filter(({ id }) => !wanted.includes(id)).map(({ id }) => id);
        rows.reorder(profile, [...new Set(named), ...rest]);
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

function assertFree(views: readonly ReportView[], name: string): void {
  if (views.some((view) => isSameName(view.name, name))) throw new AppError('view_name_taken');
}
