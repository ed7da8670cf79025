import type { Formats } from '../lib/formats.ts';
import { formatValue } from './format.ts';
import { columnInSentence, type NamedColumn } from './labels.ts';

export interface Rate {
  value: number;
  volume: number;
}

export interface Peers {
  typical: number;
  spread: number;
}

export interface UnlikeRate {
  column: string;
  is: 'low' | 'high';
  typical: string;
}

/** Rates with less volume are ignored, because they are noise. */
export const minVolume = 100;

export const minPeers = 4;

/** A rate is unusual only beyond these multiples of the spread and of a share's standard error. */
export const maxSpreads = 4;
const maxErrors = 4;

/** The minimum relevant difference: ten points, or a quarter of the typical rate if that is below 40%. */
const points = 0.1;
const quarter = 0.25;

export function peersOf(rates: readonly Rate[]): Peers | null {
  const values = rates.filter(({ volume }) => volume >= minVolume).map(({ value }) => value);
  if (values.length < minPeers) return null;
  const typical = medianOf(values);
  return { typical, spread: medianOf(values.map((value) => Math.abs(value - typical))) };
}

/** Judged by the level among peers, never by its change. Null for an ordinary rate. */
export function unlikeOf({ value, volume }: Rate, { typical, spread }: Peers): UnlikeRate['is'] | null {
  if (volume < minVolume) return null;
  const chance = Math.sqrt(Math.max(0, typical * (1 - typical)) / volume);
  const matters = leastDifference(typical, true);
  const distance = Math.abs(value - typical);
  if (distance === 0 || distance < matters) return null;
  if (distance <= maxSpreads * spread || distance <= maxErrors * chance) return null;
  return value < typical ? 'low' : 'high';
}

/** Smaller differences do not matter, however regular the values are. */
export function leastDifference(typical: number, isShare: boolean): number {
  return isShare ? Math.min(points, typical * quarter) : typical * quarter;
}

export function medianOf(values: readonly number[]): number {
  const sorted = Float64Array.from(values).toSorted();
  const middle = sorted.length >> 1;
  const high = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? high) + high) / 2;
}

const betterWhenHigh: ReadonlySet<string> = new Set(['valid_rate', 'revenue_share', 'monetized_rate']);

/** `look`: neither direction is good or bad. */
export function meaningOf({ column, is }: UnlikeRate): 'good' | 'bad' | 'look' {
  if (!betterWhenHigh.has(column)) return 'look';
  return is === 'high' ? 'good' : 'bad';
}

export function flagTitle({ column, is }: UnlikeRate): string {
  return `${is === 'low' ? 'Low' : 'High'} ${columnInSentence({ id: column, label: null })}`;
}

/** For example `Low valid rate: 39.08%, typically 96.07%; …`. Empty for an ordinary row. */
export function flagText(
  { values, unlike }: { values: readonly (string | null)[]; unlike: readonly UnlikeRate[] },
  columns: readonly NamedColumn[],
  formats: Formats,
): string {
  const texts = unlike.flatMap((rate) => {
    const at = columns.findIndex(({ id }) => id === rate.column);
    const column = columns[at];
    if (column === undefined) return [];
    const [value, typical] = [values[at] ?? null, rate.typical].map((text) =>
      formatValue(column, text, formats),
    );
    return [`${flagTitle(rate)}: ${value}, typically ${typical}`];
  });
  return texts
    .map((text, at) => (at === 0 ? text : `${text.charAt(0).toLowerCase()}${text.slice(1)}`))
    .join('; ');
}
