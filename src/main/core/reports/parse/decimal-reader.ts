import { maxScale, powersOfTen } from '../tables/table.ts';

const maxNumberLength = 400;

const [zero, nine, minus, plus, point, lowerE, upperE] = [48, 57, 45, 43, 46, 101, 69] as const;

/** Up to this value, one more digit cannot exceed the safe integers. */
const maxBeforeDigit = Math.floor((Number.MAX_SAFE_INTEGER - 9) / 10);

/**
 * Reads numbers from bytes as `units` × 10^-`decimals`, never through a float. Rounds numbers with more than nine decimals half
 * away from zero. The members describe the last number.
 */
export class DecimalReader {
  units = 0;
  decimals = 0;
  isRounded = false;
  /** If true, `units` contains only the fraction. */
  isTooLarge = false;
  /** Whole part of a number that is too large for `units`; NaN if the whole part is not a safe integer either. */
  whole = Number.NaN;

  /** Returns the index after the number, or -1. */
  readJson(bytes: Uint8Array, from: number, end: number): number {
    return this.#read(bytes, from, { end, json: true });
  }

  /** Reads the decimal string of the contract (§2.6): allows leading zeros, but no exponent. */
  readText(bytes: Uint8Array, from: number, to: number): boolean {
    return from < to && this.#read(bytes, from, { end: to, json: false }) === to;
  }

  #read(bytes: Uint8Array, from: number, { end, json }: { end: number; json: boolean }): number {
    let at = from;
    const isNegative = bytes[at] === minus;
    if (isNegative) at += 1;
    const firstDigit = at;
    let units = 0;
    let needsBigInt = false;
    for (; at < end; at += 1) {
      const byte = bytes[at] as number;
      if (byte < zero || byte > nine) break;
      if (units > maxBeforeDigit) needsBigInt = true;
      else units = units * 10 + (byte - zero);
    }
    if (at === firstDigit) return -1;
    if (json && bytes[firstDigit] === zero && at > firstDigit + 1) return -1;
    let decimals = 0;
    if (at < end && bytes[at] === point) {
      const firstDecimal = (at += 1);
      for (; at < end; at += 1) {
        const byte = bytes[at] as number;
        if (byte < zero || byte > nine) break;
        if (units > maxBeforeDigit) needsBigInt = true;
        else units = units * 10 + (byte - zero);
      }
      decimals = at - firstDecimal;
      if (decimals === 0) return -1;
    }
    if (json && at < end && (bytes[at] === lowerE || bytes[at] === upperE)) {
      at = skipExponent(bytes, at + 1, end);
      if (at < 0) return -1;
      needsBigInt = true;
    }
    if (needsBigInt || decimals > maxScale) this.#readSlowly(bytes, from, at);
    else this.#set(isNegative && units !== 0 ? -units : units, decimals);
    return at;
  }

  #set(units: number, decimals: number): void {
    this.units = units;
    this.decimals = decimals;
    this.isRounded = false;
    this.isTooLarge = false;
    this.whole = Number.NaN;
  }

  #readSlowly(bytes: Uint8Array, from: number, to: number): void {
    this.#set(0, 0);
    if (to - from > maxNumberLength) {
      this.isTooLarge = true;
      return;
    }
    const text = Buffer.from(bytes.subarray(from, to)).toString('latin1');
    const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
    const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
    let digits = BigInt(whole + fraction);
    let decimals = fraction.length - Number(exponent);
    if (digits === 0n) return;
    if (decimals < -powersOfTen.length) {
      this.isTooLarge = true;
      return;
    }
    if (decimals < 0) [digits, decimals] = [digits * 10n ** BigInt(-decimals), 0];
    if (decimals > maxScale) {
      const rounded = roundOff(digits, decimals - maxScale);
      this.isRounded = rounded.isInexact;
      [digits, decimals] = [rounded.digits, maxScale];
    }
    while (decimals > 0 && digits % 10n === 0n) [digits, decimals] = [digits / 10n, decimals - 1];
    const sign = text.startsWith('-') ? -1 : 1;
    this.isTooLarge = digits > BigInt(Number.MAX_SAFE_INTEGER);
    if (this.isTooLarge) {
      const unit = 10n ** BigInt(decimals);
      const wholeNumber = Number(digits / unit);
      if (Number.isSafeInteger(wholeNumber)) this.whole = sign * wholeNumber;
      digits %= unit;
    }
    const units = Number(digits);
    this.units = units === 0 ? 0 : sign * units;
    this.decimals = decimals;
  }
}

function skipExponent(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  if (at < end && (bytes[at] === plus || bytes[at] === minus)) at += 1;
  const firstDigit = at;
  while (at < end && (bytes[at] as number) >= zero && (bytes[at] as number) <= nine) at += 1;
  return at === firstDigit ? -1 : at;
}

function roundOff(digits: bigint, places: number): { digits: bigint; isInexact: boolean } {
  if (places > maxNumberLength) return { digits: 0n, isInexact: true };
  const unit = 10n ** BigInt(places);
  const rest = digits % unit;
  return { digits: digits / unit + (2n * rest >= unit ? 1n : 0n), isInexact: rest !== 0n };
}
