import { exactDecimal } from './decimals.ts';

/** An exact number as a fraction of integers: a sum of decimals, or a ratio of sums. `under` is positive. */
export interface Exact {
  over: bigint;
  under: bigint;
}

/** The number of a plain decimal text such as `-12.50`. Throws for anything else. */
export function exactOf(text: string): Exact {
  const { digits, scale } = exactDecimal(text);
  return { over: digits, under: 10n ** BigInt(scale) };
}

/** `over` × `times` / `under`; null for a ratio of nothing. */
export function ratioOf(over: Exact, under: Exact, times = 1): Exact | null {
  if (under.over === 0n) return null;
  const top = over.over * under.under * BigInt(times);
  const bottom = over.under * under.over;
  return bottom < 0n ? { over: -top, under: -bottom } : { over: top, under: bottom };
}

/** The number multiplied by a fraction of integers. */
export function scaled(value: Exact, over: bigint, under: bigint): Exact {
  return { over: value.over * over, under: value.under * under };
}

/** The exact sum. */
export function plus(left: Exact, right: Exact): Exact {
  return { over: left.over * right.under + right.over * left.under, under: left.under * right.under };
}

/** Below zero where `left` is smaller, above where it is larger. Never rounds. */
export function compareExact(left: Exact, right: Exact): number {
  const difference = left.over * right.under - right.over * left.under;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Decimal text with at most so many decimals, rounded half away from zero, without zeros at its end. */
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
