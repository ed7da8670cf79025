import type { MoneyPair, MoneyText } from '#shared/campaign/index.ts';

export type FigureMoney = MoneyText;
export type FigurePair = MoneyPair;

export interface RiskView {
  perDay: FigurePair;
  untilEnd: FigurePair;
  bidFactor: string | null;
  campaignCount?: number;
  alwaysUnlimited?: { perDay: number; untilEnd: number };
  /** What changes most dangerously, where that is none of the figures. */
  headline?: { label: string; before: string; after: string };
}

export type RiskFigure = 'perDay' | 'untilEnd' | 'bid';

/** How much worse a figure gets: 1 means unchanged, infinite means unlimited from now on. */
function growth({ before, after }: FigurePair): number {
  if (after.unlimited) return before.unlimited ? 1 : Number.POSITIVE_INFINITY;
  if (before.unlimited) return 0;
  const [from, to] = [Number(before.micros), Number(after.micros)];
  if (from === to) return 1;
  return from === 0 ? Number.MAX_VALUE : to / from;
}

function bidGrowth(factor: string | null): number {
  const times = Number(factor?.replaceAll(/[×,]/g, '') ?? 1);
  return Number.isFinite(times) ? times : 1;
}

/** True for a factor that raises the bid. */
export const raises = (factor: string): boolean => bidGrowth(factor) > 1;

/**
 * The figure that grows most, which is drawn largest; the larger sum wins a tie. Null when nothing grows:
 * then no figure is more worth a look than another.
 */
export function riskiest(risk: Omit<RiskView, 'headline'>): RiskFigure | null {
  const ranked: [RiskFigure, number][] = [
    ['untilEnd', growth(risk.untilEnd)],
    ['perDay', growth(risk.perDay)],
    ['bid', bidGrowth(risk.bidFactor)],
  ];
  const [first] = ranked.toSorted(([, one], [, other]) => other - one);
  return first !== undefined && first[1] > 1 ? first[0] : null;
}
