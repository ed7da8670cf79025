import { divide, exactDecimal, minus, sizeText, withDecimals, type ExactDecimal } from './decimals.ts';
import type { NamedColumn } from './labels.ts';
import type { Formats } from '../lib/formats.ts';

type Shown = Pick<NamedColumn, 'id' | 'kind'>;

const noValue = '—';

const rateDecimals: Readonly<Record<string, number>> = { epc: 4, rpm: 2 };
const otherRateDecimals = 4;

/** `12,345`, `$1,234.50`, `25.31%`, `$0.0123`. A value that would round to zero is `<0.01%`. Null is a dash. */
export function formatValue(column: Shown, value: string | null, formats: Formats): string {
  if (value === null) return noValue;
  const exact = exactDecimal(value);
  return `${exact.digits < 0n ? '−' : ''}${formatSize(column, exact, formats)}`;
}

export interface Difference {
  direction: 'up' | 'down' | 'same';
  /** `+1,204`, `−$3.20`, `+1.20 pp`, or `±0` for no difference. */
  absolute: string;
  /** `+12.4%`, or `×12.5` from ten times on. Null for shares, and if the compared value is zero. */
  ratio: string | null;
  /** `1,204 more (+12.4%)`, `$3.20 less`, `1.20 points higher`, `Unchanged`. */
  sentence: string;
}

export function differenceOf(
  column: Shown,
  now: string | null,
  before: string | null,
  formats: Formats,
): Difference | null {
  if (now === null || before === null) return null;
  const [to, from] = [exactDecimal(now), exactDecimal(before)];
  const by = minus(to, from);
  if (by.digits === 0n) return { direction: 'same', absolute: '±0', ratio: null, sentence: 'Unchanged' };
  const isUp = by.digits > 0n;
  const size = formatSize(column, by, formats);
  const isShare = column.kind === 'share';
  const ratio = isShare ? null : ratioText(to, from, formats);
  const amount = isShare ? size.replace('%', ' points') : size;
  return {
    direction: isUp ? 'up' : 'down',
    absolute: `${isUp ? '+' : '−'}${isShare ? size.replace('%', ' pp') : size}`,
    ratio,
    sentence: `${amount} ${comparative(column, isUp)}${ratio === null ? '' : ` (${ratio})`}`,
  };
}

/** For example `12.4%`. Null without a total. */
export function shareText(part: string | null, total: string | null, formats: Formats): string | null {
  if (part === null || total === null) return null;
  const share = divide(exactDecimal(part), exactDecimal(total), 3);
  if (share === null) return null;
  const text = sizeText(withDecimals({ digits: share.digits, scale: 1 }, 1), formats);
  return `${share.digits < 0n ? '−' : ''}${text}%`;
}

/** All labels have one precision: `0`, `500k`, `1M`; `$0.005`; `12.5%`. */
export function axisLabels(column: Shown, values: readonly number[], formats: Formats): string[] {
  const percent = column.kind === 'share';
  const scaled = percent ? values.map((value) => value * 100) : values;
  const biggest = Math.max(...scaled.map(Math.abs));
  const thousands = !percent && biggest >= 10_000;
  const unit = thousands ? (biggest >= 1e9 ? 1e9 : biggest >= 1e6 ? 1e6 : 1e3) : 1;
  const decimals = decimalsOf(scaled.map((value) => value / unit));
  const isMoney = column.kind === 'money' || column.kind === 'rate';
  const letters = unit === 1 ? '' : unit === 1e3 ? 'k' : unit === 1e6 ? 'M' : 'B';
  const least = isMoney && unit === 1 && decimals > 0 ? 2 : 0;
  return scaled.map((value) => {
    const text =
      value === 0 && unit > 1 ? '0' : formats.count(Math.abs(value) / unit, Math.max(least, decimals));
    const sign = value < 0 ? '−' : '';
    return `${sign}${isMoney ? '$' : ''}${text}${value === 0 ? '' : letters}${percent ? '%' : ''}`;
  });
}

const maxAxisDecimals = 9;

function decimalsOf(values: readonly number[]): number {
  const areWhole = (decimals: number): boolean =>
    values.every((value) => {
      const units = value * 10 ** decimals;
      return Math.abs(units - Math.round(units)) < 1e-9 * Math.max(1, Math.abs(units));
    });
  let decimals = 0;
  while (decimals < maxAxisDecimals && !areWhole(decimals)) decimals += 1;
  return decimals;
}

function formatSize(column: Shown, value: ExactDecimal, formats: Formats): string {
  switch (column.kind) {
    case 'count':
    case 'number':
      return sizeText(value, formats);
    case 'money':
      return rounded(value, 2, (text) => `$${text}`, formats);
    case 'share':
      return rounded({ digits: value.digits * 100n, scale: value.scale }, 2, (text) => `${text}%`, formats);
    case 'rate':
      return rounded(value, rateDecimals[column.id] ?? otherRateDecimals, (text) => `$${text}`, formats);
  }
}

function rounded(
  value: ExactDecimal,
  decimals: number,
  withUnit: (text: string) => string,
  formats: Formats,
): string {
  const shown = withDecimals(value, decimals);
  if (shown.digits !== 0n || value.digits === 0n) return withUnit(sizeText(shown, formats));
  return `<${withUnit(sizeText({ digits: 1n, scale: decimals }, formats))}`;
}

function ratioText(to: ExactDecimal, from: ExactDecimal, formats: Formats): string | null {
  const factor = divide(to, from, 3);
  if (factor === null || from.digits < 0n || to.digits < 0n) return null;
  if (factor.digits >= 10_000n) return `×${sizeText(withDecimals(factor, 1), formats).replace(/\.0$/, '')}`;
  const tenths = factor.digits - 1000n;
  if (tenths === 0n) return '<0.1%';
  // A fall to a value above zero never shows −100%.
  const shown = tenths === -1000n && to.digits !== 0n ? -999n : tenths;
  return `${shown > 0n ? '+' : '−'}${sizeText({ digits: shown, scale: 1 }, formats)}%`;
}

function comparative({ kind }: Shown, isUp: boolean): string {
  if (kind === 'count') return isUp ? 'more' : 'fewer';
  if (kind === 'money') return isUp ? 'more' : 'less';
  return isUp ? 'higher' : 'lower';
}
