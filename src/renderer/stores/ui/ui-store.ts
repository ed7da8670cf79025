import type { ColumnLayout } from '#shared/app-api/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import {
  clampColumnWidth,
  clampPanelWidth,
  readPreferences,
  type Density,
  type Preferences,
  type Theme,
} from './preferences.ts';
import { parseRoute, routeHref, type Route } from './route.ts';

export type Overlay = 'palette' | 'shortcuts' | 'vault' | 'updates' | 'first-start' | 'about' | null;

/** `editor` and `bulk` mean the first field. `first-row` also opens the first row. */
export type FocusPlace = 'search' | 'editor' | 'list' | 'first-row' | 'bulk';

export interface UiState extends Preferences {
  route: Route;
  overlay: Overlay;
  /** The place that should get the focus. Its owner takes the focus as soon as it can. Until then plain keys are ignored. */
  wantedFocus: FocusPlace | null;
  navigate: (route: Route) => void;
  /** Returns a function that navigates, unless the person has left the current page in the meantime. */
  fromHere: () => (route: Route) => void;
  replace: (route: Route) => void;
  show: (overlay: Overlay) => void;
  requestFocus: (place: FocusPlace) => void;
  /** Call this when the place has the focus or cannot have it. */
  focusTaken: () => void;
  setTheme: (theme: Theme) => void;
  setDensity: (density: Density) => void;
  setPanelWidth: (width: number) => void;
  setColumnWidth: (column: string, width: number | null) => void;
  toggleColumn: (column: string) => void;
  setColumnOrder: (columns: string[]) => void;
  arrangeColumns: (layout: ColumnLayout) => void;
  start: () => () => void;
}

const key = 'countersign.preferences';

export function createUiStore(storage: Pick<Storage, 'getItem' | 'setItem'>): StoreApi<UiState> {
  return createStore<UiState>((set, get) => {
    function prefer(change: Partial<Preferences>): void {
      set(change);
      const { theme, density, panelWidth, hiddenColumns, columnOrder, columnWidths } = get();
      const saved: Preferences = { theme, density, panelWidth, hiddenColumns, columnOrder, columnWidths };
      storage.setItem(key, JSON.stringify(saved));
    }

    return {
      ...readPreferences(storage.getItem(key)),
      route: { page: 'campaigns', cid: null },
      overlay: null,
      wantedFocus: null,
      navigate(to) {
        const { route: here } = get();
        const shown = here.page === 'campaigns' ? here.parameters : undefined;
        // Opening a campaign keeps the list's search and filters.
        const route: Route =
          to.page === 'campaigns' && shown !== undefined ? { parameters: shown, ...to } : to;
        if (location.hash === routeHref(route)) return;
        set({ route, wantedFocus: null });
        location.hash = routeHref(route);
      },
      fromHere() {
        const here = location.hash;
        return (route) => {
          if (location.hash === here) get().navigate(route);
        };
      },
      replace(route) {
        if (routeHref(parseRoute(location.hash)) === routeHref(route)) return;
        set({ route });
        location.replace(routeHref(route));
      },
      show: (overlay) => set({ overlay, wantedFocus: null }),
      requestFocus: (wantedFocus) => set({ wantedFocus }),
      focusTaken: () => set({ wantedFocus: null }),
      setTheme: (theme) => prefer({ theme }),
      setDensity: (density) => prefer({ density }),
      setPanelWidth: (width) => prefer({ panelWidth: clampPanelWidth(width) }),
      setColumnWidth(column, width) {
        const { [column]: _, ...others } = get().columnWidths;
        prefer({ columnWidths: width === null ? others : { ...others, [column]: clampColumnWidth(width) } });
      },
      toggleColumn(column) {
        const hidden = get().hiddenColumns;
        prefer({
          hiddenColumns: hidden.includes(column)
            ? hidden.filter((other) => other !== column)
            : [...hidden, column],
        });
      },
      setColumnOrder: (columnOrder) => prefer({ columnOrder }),
      arrangeColumns({ hidden, order, widths }) {
        const clamped = Object.entries(widths).map(([column, width]) => [column, clampColumnWidth(width)]);
        const columnWidths = Object.fromEntries(clamped) as Preferences['columnWidths'];
        prefer({ hiddenColumns: hidden, columnOrder: order, columnWidths });
      },
      start() {
        const follow = (): void => set({ route: parseRoute(location.hash) });
        follow();
        window.addEventListener('hashchange', follow);
        return () => window.removeEventListener('hashchange', follow);
      },
    };
  });
}
