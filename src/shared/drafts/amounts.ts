import { type Decimal, toDecimal } from '../lib/decimal.ts';
import type { FieldOperation } from './operation.ts';

/** An operation on a number. */
export type AmountOperation = Extract<
  FieldOperation,
  { kind: 'add' | 'subtract' | 'percent' | 'floor' | 'cap' }
>;

/** A number after an operation; `exact` is the text of the result before it was rounded, null where nothing was. */
export interface Amount {
  value: number;
  exact: string | null;
}

/** True for a budget, of which 0 is no limit. */
export function isBudget(field: string): boolean {
  return field === 'd_revenue' || field === 't_revenue';
}

/** Decimals to which the result of a calculation is rounded, half away from zero; a count is whole. */
export function decimalsOf(field: string): number {
  if (field === 'payout') return 6;
  return isBudget(field) ? 2 : 0;
}

/** Applies an operation to the decimal value of a number, exactly, and rounds the result as its field asks. */
export function applyAmount(value: number, operation: AmountOperation, decimals: number): Amount {
  const before = toDecimal(value);
  switch (operation.kind) {
    case 'add':
      return rounded(sum(before, parse(operation.amount)), decimals);
    case 'subtract':
      return rounded(sum(before, negated(parse(operation.amount))), decimals);
    case 'percent':
      return rounded(product(before, percentFactor(operation.percent)), decimals);
    case 'floor':
      return { value: Math.max(value, Number(operation.amount)), exact: null };
    case 'cap':
      return { value: Math.min(value, Number(operation.amount)), exact: null };
  }
}

function parse(text: string): Decimal {
  const [whole = '', fraction = ''] = text.split('.');
  return { digits: BigInt(whole + fraction), exponent: -fraction.length };
}

/** 1.1 for +10. */
function percentFactor(percent: string): Decimal {
  const { digits, exponent } = sum(parse(percent), { digits: 100n, exponent: 0 });
  return { digits, exponent: exponent - 2 };
}

function negated({ digits, exponent }: Decimal): Decimal {
  return { digits: -digits, exponent };
}

function sum(a: Decimal, b: Decimal): Decimal {
  const exponent = Math.min(a.exponent, b.exponent);
  return { digits: scaledTo(a, exponent) + scaledTo(b, exponent), exponent };
}

function product(a: Decimal, b: Decimal): Decimal {
  return { digits: a.digits * b.digits, exponent: a.exponent + b.exponent };
}

function scaledTo({ digits, exponent }: Decimal, least: number): bigint {
  return digits * 10n ** BigInt(exponent - least);
}

function rounded(exact: Decimal, decimals: number): Amount {
  const surplus = -decimals - exact.exponent;
  if (surplus <= 0) return { value: Number(textOf(exact)), exact: null };
  const unit = 10n ** BigInt(surplus);
  const half = exact.digits < 0n ? -unit / 2n : unit / 2n;
  const digits = (exact.digits + half) / unit;
  const value = Number(textOf({ digits, exponent: -decimals }));
  return { value, exact: exact.digits % unit === 0n ? null : textOf(exact) };
}

function textOf({ digits, exponent }: Decimal): string {
  if (exponent >= 0) return (digits * 10n ** BigInt(exponent)).toString();
  const size = (digits < 0n ? -digits : digits).toString().padStart(1 - exponent, '0');
  const fraction = size.slice(exponent).replace(/0+$/u, '');
  const whole = `${digits < 0n ? '-' : ''}${size.slice(0, exponent)}`;
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
