import type { Formats } from '../lib/formats.ts';

/** The value is digits × 10^-scale. */
export interface ExactDecimal {
  digits: bigint;
  scale: number;
}

const decimalText = /^(-?)(\d+)(?:\.(\d+))?$/;

/** Parses a text such as `-12.50`. Throws for anything else. */
export function exactDecimal(text: string): ExactDecimal {
  const [, sign, whole, fraction = ''] = decimalText.exec(text) ?? [];
  if (whole === undefined) throw new RangeError(`Not a decimal: ${text}`);
  const digits = BigInt(whole + fraction);
  return { digits: sign === '-' ? -digits : digits, scale: fraction.length };
}

/** The exact sum: `0.1` and `0.25` give `0.35`. The sum of nothing is `0`. */
export function sumDecimals(parts: readonly string[]): string {
  return plainText(parts.map(exactDecimal).reduce(plusDecimal, { digits: 0n, scale: 0 }));
}

export function subtractDecimals(total: string, parts: readonly string[]): string {
  return plainText(minus(exactDecimal(total), exactDecimal(sumDecimals(parts))));
}

/** over × times ÷ under, with ten decimals. Null if `under` is zero. */
export function ratioDecimals(over: string, under: string, times: number): string | null {
  const top = exactDecimal(over);
  const ratio = divide({ ...top, digits: top.digits * BigInt(times) }, exactDecimal(under), 10);
  return ratio && plainText(ratio);
}

export function minus(left: ExactDecimal, right: ExactDecimal): ExactDecimal {
  return plusDecimal(left, { digits: -right.digits, scale: right.scale });
}

/** Rounds half away from zero. Null if `under` is zero. */
export function divide(over: ExactDecimal, under: ExactDecimal, scale: number): ExactDecimal | null {
  if (under.digits === 0n) return null;
  const up = over.digits * 10n ** BigInt(under.scale + scale);
  const down = under.digits * 10n ** BigInt(over.scale);
  return { digits: roundedQuotient(up, down), scale };
}

/** Rounds half away from zero. */
export function withDecimals({ digits, scale }: ExactDecimal, decimals: number): ExactDecimal {
  if (decimals >= scale) return { digits: digits * 10n ** BigInt(decimals - scale), scale: decimals };
  return { digits: roundedQuotient(digits, 10n ** BigInt(scale - decimals)), scale: decimals };
}

export function sizeText({ digits, scale }: ExactDecimal, formats: Formats): string {
  const { whole, fraction } = partsOf({ digits, scale });
  return `${formats.digits(whole)}${fraction}`;
}

function partsOf({ digits, scale }: ExactDecimal): { whole: string; fraction: string } {
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0');
  const whole = text.slice(0, text.length - scale);
  return { whole, fraction: scale === 0 ? '' : `.${text.slice(-scale)}` };
}

function plusDecimal(left: ExactDecimal, right: ExactDecimal): ExactDecimal {
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

/** A fraction of integers with a positive denominator. */
export interface Exact {
  over: bigint;
  under: bigint;
}

export function exactOf(text: string): Exact {
  const { digits, scale } = exactDecimal(text);
  return { over: digits, under: 10n ** BigInt(scale) };
}

export function ratioOf(over: Exact, under: Exact, times = 1): Exact | null {
  if (under.over === 0n) return null;
  const top = over.over * under.under * BigInt(times);
  const bottom = over.under * under.over;
  return bottom < 0n ? { over: -top, under: -bottom } : { over: top, under: bottom };
}

export function scaled(value: Exact, over: bigint, under: bigint): Exact {
  return { over: value.over * over, under: value.under * under };
}

export function plus(left: Exact, right: Exact): Exact {
  return { over: left.over * right.under + right.over * left.under, under: left.under * right.under };
}

/** Negative if `left` is smaller. Compares without rounding. */
export function compareExact(left: Exact, right: Exact): number {
  const difference = left.over * right.under - right.over * left.under;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Rounds half away from zero and omits trailing zeros. */
export function exactText(value: Exact, maxDecimals: number): string {
  const negative = value.over < 0n;
  const size = (negative ? -value.over : value.over) * 10n ** BigInt(maxDecimals);
  const rounded = (2n * size + value.under) / (2n * value.under);
  const digits = rounded.toString().padStart(maxDecimals + 1, '0');
  const whole = maxDecimals === 0 ? digits : digits.slice(0, -maxDecimals);
  const fraction = maxDecimals === 0 ? '' : digits.slice(-maxDecimals).replace(/0+$/u, '');
  const text = fraction === '' ? whole : `${whole}.${fraction}`;
  return negative && rounded !== 0n ? `-${text}` : text;
}
