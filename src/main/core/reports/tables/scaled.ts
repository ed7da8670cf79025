import { AppError } from '#shared/errors/index.ts';
import { quotedStart } from '#shared/lib/inert-text.ts';

/** Decimals that a sum can have. More of them are rounded half away from zero when a value is read. */
export const maxScale = 9;

/** Characters of a foreign column name that a message quotes. */
const quotedNameLength = 60;

/** The powers of ten that are safe integers, by exponent. */
export const powersOfTen: readonly number[] = Array.from({ length: 16 }, (_, exponent) => 10 ** exponent);

/** The failure of a sum that is no safe integer in units of its column. `row` counts from 1 where one value alone is too large. */
export function numberTooLarge(column: string, row?: number): AppError {
  const name = quotedStart(column, quotedNameLength);
  const message =
    row === undefined
      ? `The sum of ${name} is too large to be exact, so it is not shown. The data is unchanged.`
      : `Row ${row}, field ${name}: the number is too large to be kept exactly.`;
  return new AppError('number_too_large', { message, data: { field: column, row: row ?? null } });
}

/** `units` in a finer scale, `factor` being a power of ten. NaN stays NaN. Fails with `number_too_large`. */
export function finer(units: number, factor: number, column: string): number {
  const product = units * factor;
  if (product > Number.MAX_SAFE_INTEGER || product < -Number.MAX_SAFE_INTEGER) throw numberTooLarge(column);
  return product;
}

/** True if the first `count` values stay safe integers with `by` more decimals. */
export function fitsFiner(values: Float64Array, count: number, by: number): boolean {
  const max = Number.MAX_SAFE_INTEGER / (powersOfTen[by] as number);
  // NaN, which stands for a missing value, is not larger than anything.
  for (let row = 0; row < count; row += 1) if (Math.abs(values[row] as number) > max) return false;
  return true;
}

/** Turns the first `count` values into a scale that has `by` more decimals. Fails with `number_too_large`. */
export function rescale(
  values: Float64Array,
  count: number,
  { by, column }: { by: number; column: string },
): void {
  const factor = powersOfTen[by] as number;
  for (let row = 0; row < count; row += 1) values[row] = finer(values[row] as number, factor, column);
}

/** Exact decimal text of `units` × 10^-`scale`, without zeros at its end: `-0.5`, `12`, `0.000001`. */
export function unitsText(units: number | bigint, scale: number): string {
  const text = String(units);
  if (scale === 0) return text;
  const negative = text.startsWith('-');
  const digits = (negative ? text.slice(1) : text).padStart(scale + 1, '0');
  const fraction = digits.slice(-scale).replace(/0+$/, '');
  return `${negative ? '-' : ''}${digits.slice(0, -scale)}${fraction === '' ? '' : `.${fraction}`}`;
}
