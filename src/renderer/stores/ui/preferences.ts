/** `system` follows the operating system. */
export type Theme = 'light' | 'dark' | 'system';
export type Density = 'normal' | 'compact';

/** What the page remembers between starts; taste only, never data. */
export interface Preferences {
  theme: Theme;
  density: Density;
  /** Width of the detail panel in pixels. */
  panelWidth: number;
  hiddenColumns: string[];
}

export const panelLimits = { min: 360, max: 760 } as const;

export const defaultPreferences: Preferences = {
  theme: 'system',
  density: 'normal',
  panelWidth: 440,
  hiddenColumns: [],
};

/** Reads remembered preferences; whatever is not understood falls back to the default. */
export function readPreferences(text: string | null): Preferences {
  let found: Partial<Record<keyof Preferences, unknown>>;
  try {
    const parsed: unknown = JSON.parse(text ?? '{}');
    found = typeof parsed === 'object' && parsed !== null ? parsed : {};
  } catch {
    found = {};
  }
  const { theme, density, panelWidth, hiddenColumns } = found;
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
    density: density === 'compact' ? 'compact' : 'normal',
    panelWidth: typeof panelWidth === 'number' ? clampPanelWidth(panelWidth) : defaultPreferences.panelWidth,
    hiddenColumns: Array.isArray(hiddenColumns)
      ? hiddenColumns.filter((column) => typeof column === 'string')
      : defaultPreferences.hiddenColumns,
  };
}

/** Keeps the panel readable and the table usable. */
export function clampPanelWidth(width: number): number {
  return Math.round(Math.min(panelLimits.max, Math.max(panelLimits.min, width)));
}
