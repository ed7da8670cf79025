import type { Formats } from '../lib/formats.ts';
/** An exact decimal: digits × 10^-scale. */
export interface ExactDecimal {
  digits: bigint;
  scale: number;
}

const decimalText = /^(-?)(\d+)(?:\.(\d+))?$/;

/** Reads the decimal texts of reports: `-12.50`. Throws for anything else. */
export function exactDecimal(text: string): ExactDecimal {
  const [, sign, whole, fraction = ''] = decimalText.exec(text) ?? [];
  if (whole === undefined) throw new RangeError(`Not a decimal: ${text}`);
  const digits = BigInt(whole + fraction);
  return { digits: sign === '-' ? -digits : digits, scale: fraction.length };
}

/** The exact sum, with as many decimals as the longest part: `0.1` and `0.25` are `0.35`. `0` of nothing. */
export function sumDecimals(parts: readonly string[]): string {
  return plainText(parts.map(exactDecimal).reduce(plus, { digits: 0n, scale: 0 }));
}

/** The exact difference: `total` without each of `parts`. */
export function subtractDecimals(total: string, parts: readonly string[]): string {
  return plainText(minus(exactDecimal(total), exactDecimal(sumDecimals(parts))));
}

/** over × times ÷ under with ten decimals; null for a ratio of nothing. */
export function ratioDecimals(over: string, under: string, times: number): string | null {
  const top = exactDecimal(over);
  const ratio = divide({ ...top, digits: top.digits * BigInt(times) }, exactDecimal(under), 10);
  return ratio && plainText(ratio);
}

/** The exact difference of two decimals. */
export function minus(left: ExactDecimal, right: ExactDecimal): ExactDecimal {
  return plus(left, { digits: -right.digits, scale: right.scale });
}

/** over ÷ under with so many decimals, rounded half away from zero; null for a ratio of nothing. */
export function divide(over: ExactDecimal, under: ExactDecimal, scale: number): ExactDecimal | null {
  if (under.digits === 0n) return null;
  const up = over.digits * 10n ** BigInt(under.scale + scale);
  const down = under.digits * 10n ** BigInt(over.scale);
  return { digits: roundedQuotient(up, down), scale };
}

/** The value with exactly so many decimals, rounded half away from zero. */
export function withDecimals({ digits, scale }: ExactDecimal, decimals: number): ExactDecimal {
  if (decimals >= scale) return { digits: digits * 10n ** BigInt(decimals - scale), scale: decimals };
  return { digits: roundedQuotient(digits, 10n ** BigInt(scale - decimals)), scale: decimals };
}

/** The size of a value without its sign, thousands separated: `1,234.50`. */
export function sizeText({ digits, scale }: ExactDecimal, formats: Formats): string {
  const { whole, fraction } = partsOf({ digits, scale });
  return `${formats.digits(whole)}${fraction}`;
}

function partsOf({ digits, scale }: ExactDecimal): { whole: string; fraction: string } {
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0');
  const whole = text.slice(0, text.length - scale);
  return { whole, fraction: scale === 0 ? '' : `.${text.slice(-scale)}` };
}

function plus(left: ExactDecimal, right: ExactDecimal): ExactDecimal {
  const scale = Math.max(left.scale, right.scale);
  return { digits: withDecimals(left, scale).digits + withDecimals(right, scale).digits, scale };
}

function plainText(value: ExactDecimal): string {
  const { whole, fraction } = partsOf(value);
  return `${value.digits < 0n ? '-' : ''}${whole}${fraction}`;
}

function roundedQuotient(over: bigint, under: bigint): bigint {
  const size = (value: bigint): bigint => (value < 0n ? -value : value);
  const rounded = (size(over) * 2n + size(under)) / (size(under) * 2n);
  return over < 0n === under < 0n ? rounded : -rounded;
}
