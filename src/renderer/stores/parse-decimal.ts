import { withoutSpaces } from '#shared/lib/number-text.ts';

/** A decimal as typed, or what is wrong with it, in words for the field. */
export type ParsedDecimal = { kind: 'number'; value: number } | { kind: 'wrong'; message: string };

const plain = /^\d+(?:\.(\d+))?$/u;
const maxDigits = 15;
const maxDecimals = 6;

/**
 * Reads a plain decimal such as `0.045`, or `1 250.50` as a page may write it. Refuses whatever would need a guess: a comma, a unit, an exponent, a sign,
 * more digits than a number keeps exactly, more than six decimals. Nothing is rounded.
 */
export function parseDecimal(typed: string): ParsedDecimal {
  const text = withoutSpaces(typed.trim());
  const wrong = (message: string): ParsedDecimal => ({ kind: 'wrong', message });
  if (text === '') return wrong('Enter an amount, for example 0.045.');
  if (text.includes(',')) return wrong('Write the decimals after a point, without thousands marks: 1250.50');
  if (text.startsWith('-') || text.startsWith('−')) return wrong('The amount cannot be negative.');
  const match = plain.exec(text);
  if (!match) return wrong('Enter digits and at most one point, for example 0.045.');
  if ((match[1]?.length ?? 0) > maxDecimals) return wrong('Use at most 6 decimals.');
  if (text.replace(/^0+|\D/gu, '').length > maxDigits) return wrong('The amount has too many digits.');
  return { kind: 'number', value: Number(text) };
}
