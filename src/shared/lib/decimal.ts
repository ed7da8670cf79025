const microDigits = 6;

/** A decimal number as an integer and a power of ten: digits × 10^exponent. */
export interface Decimal {
  digits: bigint;
  exponent: number;
}

/** The decimal value of a finite number's shortest text; never its binary expansion. Throws for NaN and infinities. */
export function toDecimal(value: number): Decimal {
  const found = /^(-?\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value));
  if (found === null) throw new RangeError(`Not a finite number: ${value}`);
  const [, whole = '', fraction = '', exponent = '0'] = found;
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

/**
 * Integer micros of an amount, from its shortest decimal text. More than six decimals round up, so that money at risk
 * is never understated. Throws for NaN and infinities.
 */
export function toMicros(value: number): bigint {
  const { digits, exponent } = toDecimal(value);
  const shift = exponent + microDigits;
  if (shift >= 0) return digits * 10n ** BigInt(shift);
  const unit = 10n ** BigInt(-shift);
  const floor = digits / unit;
  return digits % unit > 0n ? floor + 1n : floor;
}

/** Decimal text of micros with at least so many decimals, thousands separated: `2,050.00`, `−0.405`. */
export function decimalText(micros: bigint, leastDecimals: number): string {
  const size = (micros < 0n ? -micros : micros).toString().padStart(microDigits + 1, '0');
  const whole = size.slice(0, -microDigits).replace(/\B(?=(\d{3})+$)/g, ',');
  const fraction = size.slice(-microDigits).replace(/0+$/, '').padEnd(leastDecimals, '0');
  return `${micros < 0n ? '−' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** An amount of money: `$50.00`, `$2,050.00`, `$0.125`. Two decimals at least, more where they say something. */
export function formatMoney(micros: bigint): string {
  return withDollar(decimalText(micros, 2));
}

/** A bid: `$0.045`, `$0.450`. Three decimals at least. */
export function formatBid(micros: bigint): string {
  return withDollar(decimalText(micros, 3));
}

function withDollar(text: string): string {
  return text.startsWith('−') ? `−$${text.slice(1)}` : `$${text}`;
}
