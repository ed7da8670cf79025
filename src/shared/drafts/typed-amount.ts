import type { FieldOperation } from './operation.ts';

export type TypedAmount =
  | { kind: 'operation'; operation: FieldOperation }
  | { kind: 'ask'; readings: number[] }
  | { kind: 'wrong'; message: string };

const maxDigits = 15;
const maxDecimals = 6;
const unitExponents: Readonly<Record<string, number>> = { k: 3, m: 6 };

/**
 * Reads `0.045`, `$1,250.50`, `1.2k`, `+10%`, `-5`. A comma that may separate thousands or decimals (`1,234`) yields a
 * question.
 */
export function readTypedAmount(typed: string): TypedAmount {
  const signed = typed.trim().replace(/[−–]/u, '-').toLowerCase();
  const text = joinThousands(signed.replaceAll(/(?<=[-+$])\s+|\s+(?=[%km]$)/gu, ''));
  if (text === '') return wrong('Enter an amount, for example 0.045.');
  const found = /^([+-]?)\$?([\d.,]+)(%|[km])?$/u.exec(text);
  if (found === null) return wrong('Enter a number such as 0.045, 1.2k or +10%.');
  const [, sign = '', figures = '', unit = ''] = found;
  const readings = parseNumber(figures);
  if (readings.length > 1)
    return unit === '' && sign === ''
      ? { kind: 'ask', readings: readings.map(Number) }
      : wrong('Write the decimals after a point, without thousands marks: 1250.50');
  const [plain] = readings;
  if (plain === undefined) return wrong('Enter digits and at most one point, for example 0.045.');
  const amount = unit === '%' ? plain : shiftDecimalPoint(plain, unitExponents[unit] ?? 0);
  return operationOf({ sign, amount, isPercent: unit === '%' });
}

/** Removes spaces between thousands: `1 250,50` becomes `1250,50`. Two numbers such as `50 60` are never joined. */
export function joinThousands(text: string): string {
  return /^[-+]?\$?\d{1,3}(?:\s\d{3})+(?:[.,]\d*)?[%km]?$/u.test(text) ? text.replaceAll(/\s/gu, '') : text;
}

function operationOf({
  sign,
  amount,
  isPercent,
}: {
  sign: string;
  amount: string;
  isPercent: boolean;
}): TypedAmount {
  const [whole = '', fraction = ''] = amount.split('.');
  if (fraction.length > maxDecimals) return wrong('Use at most 6 decimals.');
  if (`${whole}${fraction}`.replace(/^0+/u, '').length > maxDigits)
    return wrong('The amount has too many digits.');
  if (isPercent) {
    if (sign === '') return wrong('Write +10% to raise or -10% to lower.');
    return operation({ kind: 'percent', percent: sign === '-' ? `-${amount}` : amount });
  }
  if (sign === '+') return operation({ kind: 'add', amount });
  if (sign === '-') return operation({ kind: 'subtract', amount });
  return operation({ kind: 'set', value: Number(amount) });
}

function operation(value: FieldOperation): TypedAmount {
  return { kind: 'operation', operation: value };
}

function wrong(message: string): TypedAmount {
  return { kind: 'wrong', message };
}

/** Returns all readings as plain decimals: two for `1,234`, none if the text is not a number. */
function parseNumber(figures: string): string[] {
  // A leading or trailing point: `.05`, and `5.` while the person is still typing.
  if (/^\d*\.?\d+$|^\d+\.$/u.test(figures)) return [trimLeadingZeros(figures)];
  // Several thousands marks, or one together with a decimal mark, are unambiguous.
  if (/^\d{1,3}(,\d{3}){2,}$/u.test(figures) || /^\d{1,3}(,\d{3})+\.\d+$/u.test(figures))
    return [trimLeadingZeros(figures.replaceAll(',', ''))];
  if (/^\d{1,3}(\.\d{3}){2,}$/u.test(figures) || /^\d{1,3}(\.\d{3})+,\d+$/u.test(figures))
    return [trimLeadingZeros(figures.replaceAll('.', '').replace(',', '.'))];
  if (/^[1-9]\d{0,2},\d{3}$/u.test(figures))
    return [figures.replace(',', ''), trimLeadingZeros(figures.replace(',', '.'))];
  return /^\d+,\d+$/u.test(figures) ? [trimLeadingZeros(figures.replace(',', '.'))] : [];
}

function trimLeadingZeros(text: string): string {
  const [whole = '', fraction = ''] = text.split('.');
  const shown = whole.replace(/^0+(?=\d)/u, '') || '0';
  return fraction === '' ? shown : `${shown}.${fraction}`;
}

function shiftDecimalPoint(text: string, places: number): string {
  if (places === 0) return text;
  const [whole = '', fraction = ''] = text.split('.');
  const digits = `${whole}${fraction.padEnd(places, '0')}`;
  const point = whole.length + places;
  return trimLeadingZeros(
    point >= digits.length ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`,
  );
}
