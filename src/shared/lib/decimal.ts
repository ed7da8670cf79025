const microDigits = 6;

interface DigitFormat {
  digits: (digits: string) => string;
}

/** A decimal number as an integer and a power of ten: digits × 10^exponent. */
export interface Decimal {
  digits: bigint;
  exponent: number;
}

/** The decimal value of a finite number's shortest text, never its binary expansion. Throws for NaN and infinities. */
export function toDecimal(value: number): Decimal {
  const found = /^(-?\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value));
  if (found === null) throw new RangeError(`Not a finite number: ${value}`);
  const [, whole = '', fraction = '', exponent = '0'] = found;
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

/** Writes all digits without an exponent and without trailing zeros: `1200`, `-0.05`. */
export function exactText({ digits, exponent }: Decimal): string {
  if (exponent >= 0) return (digits * 10n ** BigInt(exponent)).toString();
  const sign = digits < 0n ? '-' : '';
  const size = (digits < 0n ? -digits : digits).toString().padStart(1 - exponent, '0');
  const fraction = size.slice(exponent).replace(/0+$/u, '');
  return `${sign}${size.slice(0, exponent)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Integer micros of an amount. More than six decimals round up. Throws for NaN and infinities. */
export function toMicros(value: number): bigint {
  const { digits, exponent } = toDecimal(value);
  const shift = exponent + microDigits;
  if (shift >= 0) return digits * 10n ** BigInt(shift);
  const unit = 10n ** BigInt(-shift);
  const floor = digits / unit;
  return digits % unit > 0n ? floor + 1n : floor;
}

/** Formats micros with at least `leastDecimals` decimals and grouped thousands: `2,050.00`, `−0.405`. */
export function decimalText(
  micros: bigint,
  leastDecimals: number,
  groupedDigits: (digits: string) => string,
): string {
  const { sign, whole, fraction } = partsOf(micros, leastDecimals);
  return `${sign}${groupedDigits(whole)}${fraction}`;
}

/** Formats micros for an input field, in every number format without grouping: `2050.00`. */
export function typedText(micros: bigint, leastDecimals: number): string {
  const { sign, whole, fraction } = partsOf(micros, leastDecimals);
  return `${sign}${whole}${fraction}`;
}

function partsOf(micros: bigint, leastDecimals: number): { sign: string; whole: string; fraction: string } {
  const size = (micros < 0n ? -micros : micros).toString().padStart(microDigits + 1, '0');
  const decimals = size.slice(-microDigits).replace(/0+$/, '').padEnd(leastDecimals, '0');
  return {
    sign: micros < 0n ? '−' : '',
    whole: size.slice(0, -microDigits),
    fraction: decimals === '' ? '' : `.${decimals}`,
  };
}

const figures = 3;

/**
 * The ratio with at most three digits: `×10`, `×1.25`. Null if a value is not positive and finite, or if the ratio
 * rounds to 1.
 */
export function factorText(before: number, after: number, formats: DigitFormat): string | null {
  const factor = factorOf(before, after);
  return factor === null ? null : `×${plainText(factor, formats)}`;
}

function factorOf(before: number, after: number): Decimal | null {
  if (!(before > 0) || !(after > 0) || !Number.isFinite(before) || !Number.isFinite(after)) return null;
  const [over, under] = asIntegers(before, after);
  const factor = threeFigures(over, under);
  return factor.digits === tenTo(-factor.exponent) ? null : factor;
}

/** The reduced ratio, `3/2` for ×1.5, which is equal exactly if ratios are. Null in the cases of {@link factorText}. */
export function exactFactor(before: number, after: number): string | null {
  if (factorOf(before, after) === null) return null;
  const [over, under] = asIntegers(before, after);
  const common = greatestCommonDivisor(over, under);
  return `${over / common}/${under / common}`;
}

export function isFactorExact(before: number, after: number): boolean {
  if (factorOf(before, after) === null) return false;
  const [over, under] = asIntegers(before, after);
  const { digits, exponent } = threeFigures(over, under);
  const shown = { over: digits * tenTo(exponent), under: tenTo(-exponent) };
  return shown.over * under === over * shown.under;
}

/**
 * The change as a percentage: `10%`, `about 66.7%`. Null if the value at least doubles, and in the cases of
 * {@link factorText}.
 */
export function percentText(before: number, after: number): string | null {
  if (factorOf(before, after) === null || isAtLeastTimes(before, after, 2n)) return null;
  const [over, under] = asIntegers(before, after);
  const difference = (over > under ? over - under : under - over) * 1000n;
  const tenths = (difference * 2n + under) / (under * 2n);
  if (tenths === 0n || tenths === 1000n) return null;
  const text = `${tenths / 10n}${tenths % 10n === 0n ? '' : `.${tenths % 10n}`}%`;
  return tenths * under === difference ? text : `about ${text}`;
}

/** True if `after` is at least `times` × `before`, compared exactly as decimals. False if there is no ratio. */
export function isAtLeastTimes(before: number, after: number, times: bigint): boolean {
  if (!(before > 0) || !Number.isFinite(before) || !Number.isFinite(after)) return false;
  const [over, under] = asIntegers(before, after);
  return over >= under * times;
}

/** True if `after` is `before` with its decimal point moved, for example ×10, ×100 or ×0.1, compared exactly. */
export function isMovedPoint(before: number, after: number): boolean {
  if (!(before > 0) || !(after > 0) || before === after) return false;
  if (!Number.isFinite(before) || !Number.isFinite(after)) return false;
  return figuresOf(before) === figuresOf(after);
}

function figuresOf(value: number): string {
  return toDecimal(value).digits.toString().replace(/0+$/, '');
}

function asIntegers(before: number, after: number): [bigint, bigint] {
  const b = toDecimal(before);
  const a = toDecimal(after);
  const least = Math.min(a.exponent, b.exponent);
  return [a.digits * 10n ** BigInt(a.exponent - least), b.digits * 10n ** BigInt(b.exponent - least)];
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [left, right] = [a, b];
  while (right > 0n) [left, right] = [right, left % right];
  return left;
}

/** Negative exponents give 1, because a BigInt has no fractions. */
function tenTo(exponent: number): bigint {
  return 10n ** BigInt(Math.max(0, exponent));
}

function threeFigures(over: bigint, under: bigint): Decimal {
  let power = over.toString().length - under.toString().length;
  if (scaled(over, under, -power) < 1n) power -= 1;
  let digits = rounded(over, under, figures - 1 - power);
  if (digits.toString().length > figures) {
    power += 1;
    digits = rounded(over, under, figures - 1 - power);
  }
  return { digits, exponent: power - figures + 1 };
}

function scaled(over: bigint, under: bigint, shift: number): bigint {
  return shift >= 0 ? (over * 10n ** BigInt(shift)) / under : over / (under * 10n ** BigInt(-shift));
}

function rounded(over: bigint, under: bigint, shift: number): bigint {
  return scaled(over * 2n, under, shift) / 2n + (scaled(over * 2n, under, shift) % 2n);
}

function plainText({ digits, exponent }: Decimal, formats: DigitFormat): string {
  if (exponent >= 0) return formats.digits((digits * 10n ** BigInt(exponent)).toString());
  const text = digits.toString().padStart(1 - exponent, '0');
  const whole = text.slice(0, exponent);
  const fraction = text.slice(exponent).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
