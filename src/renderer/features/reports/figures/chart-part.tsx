import type { ReactElement } from 'react';

/** The place of the time chart and of the bars of the largest values, which come with `TimeChart` and `BarList`. */
export function ChartPart(): ReactElement | null {
  return null;
}
