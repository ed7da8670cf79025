import type { ColumnLayout } from '#shared/app-api/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
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

export type Theme = 'light' | 'dark' | 'system';
export type Density = 'normal' | 'compact';

interface Preferences {
  theme: Theme;
  density: Density;
  panelWidth: number;
  hiddenColumns: string[];
  columnOrder: string[];
  columnWidths: Readonly<Record<string, number>>;
}

export const panelLimits = { min: 360, max: 760 } as const;
export const columnLimits = { min: 56, max: 960 } as const;

export const defaultPreferences: Preferences = {
  theme: 'system',
  density: 'normal',
  panelWidth: 440,
  // Start and end are in no list of the service: showing them reads each campaign on screen in full.
  hiddenColumns: ['create', 'expire'],
  columnOrder: [],
  columnWidths: {},
};

/** Parses stored preferences. An unknown value falls back to its default. */
export function readPreferences(text: string | null): Preferences {
  let found: Partial<Record<keyof Preferences, unknown>>;
  try {
    const parsed: unknown = JSON.parse(text ?? '{}');
    found = typeof parsed === 'object' && parsed !== null ? parsed : {};
  } catch {
    found = {};
  }
  const { theme, density, panelWidth, hiddenColumns, columnOrder, columnWidths } = found;
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
    density: density === 'compact' ? 'compact' : 'normal',
    panelWidth: typeof panelWidth === 'number' ? clampPanelWidth(panelWidth) : defaultPreferences.panelWidth,
    hiddenColumns: readColumns(hiddenColumns, defaultPreferences.hiddenColumns),
    columnOrder: readColumns(columnOrder, defaultPreferences.columnOrder),
    columnWidths: readWidths(columnWidths),
  };
}

function readColumns(found: unknown, otherwise: string[]): string[] {
  return Array.isArray(found) ? found.filter((column) => typeof column === 'string') : otherwise;
}

function readWidths(found: unknown): Preferences['columnWidths'] {
  if (typeof found !== 'object' || found === null) return {};
  const widths = Object.entries(found).filter((entry): entry is [string, number] =>
    Number.isFinite(entry[1]),
  );
  return Object.fromEntries(widths.map(([key, width]) => [key, clampColumnWidth(width)]));
}

function clampColumnWidth(width: number): number {
  return Math.round(Math.min(columnLimits.max, Math.max(columnLimits.min, width)));
}

export function clampPanelWidth(width: number): number {
  return Math.round(Math.min(panelLimits.max, Math.max(panelLimits.min, width)));
}
