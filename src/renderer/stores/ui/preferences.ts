export type Theme = 'light' | 'dark' | 'system';
export type Density = 'normal' | 'compact';

export interface Preferences {
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

export function clampColumnWidth(width: number): number {
  return Math.round(Math.min(columnLimits.max, Math.max(columnLimits.min, width)));
}

export function clampPanelWidth(width: number): number {
  return Math.round(Math.min(panelLimits.max, Math.max(panelLimits.min, width)));
}
