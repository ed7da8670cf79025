export interface ChartColors {
  /** Of the first and the second line, and of what each is compared with. */
  lines: readonly [string, string];
  compared: readonly [string, string];
  area: string;
  grid: string;
  axis: string;
  weekend: string;
  hatch: string;
  surface: string;
  text: string;
  textSoft: string;
  font: string;
}

const names = {
  line1: '--chart-1',
  line2: '--chart-2',
  compared1: '--chart-1-compared',
  compared2: '--chart-2-compared',
  area: '--chart-area',
  grid: '--chart-grid',
  axis: '--text-soft',
  weekend: '--chart-weekend',
  hatch: '--chart-hatch',
  surface: '--surface',
  text: '--text',
  textSoft: '--text-soft',
  font: '--font-sans',
};

/** Reads the tokens of the theme, or of paper below `data-paper`. */
export function chartColors(element: Element): ChartColors {
  const style = getComputedStyle(element);
  const read = (name: keyof typeof names): string => style.getPropertyValue(names[name]).trim();
  return {
    lines: [read('line1'), read('line2')],
    compared: [read('compared1'), read('compared2')],
    area: read('area'),
    grid: read('grid'),
    axis: read('axis'),
    weekend: read('weekend'),
    hatch: read('hatch'),
    surface: read('surface'),
    text: read('text'),
    textSoft: read('textSoft'),
    font: read('font'),
  };
}

export function paperColors(): ChartColors {
  const probe = document.createElement('div');
  probe.hidden = true;
  probe.dataset['paper'] = '';
  document.body.append(probe);
  try {
    return chartColors(probe);
  } finally {
    probe.remove();
  }
}

/** A canvas does not redraw when letters arrive. */
export async function chartLetters(): Promise<void> {
  const font = getComputedStyle(document.body).getPropertyValue(names.font);
  await document.fonts.load(`12px ${font}`);
}

/** Also calls back once if letters arrive late. Returns the unsubscribe function. */
export function onLookChange(changed: () => void): () => void {
  let ended = false;
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme', 'data-profile'] });
  const font = getComputedStyle(document.body).getPropertyValue(names.font);
  if (!document.fonts.check(`12px ${font}`)) void chartLetters().then(() => !ended && changed());
  return () => {
    ended = true;
    observer.disconnect();
  };
}
