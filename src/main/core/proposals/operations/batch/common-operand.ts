import type { ComparedField, FieldOperand } from '#core/store/app/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';

type ComparedAmount = Extract<ComparedField, { kind: 'amount' }>;

/** True if the operand turns the value before into exactly the value after. */
export function explains(operand: FieldOperand, compared: ComparedField): boolean {
  if (operand.field !== compared.field) return false;
  if (compared.kind === 'host')
    return operand.by === 'host' && operand.before === compared.before && operand.after === compared.after;
  if (operand.by === 'host') return false;
  if (operand.by === 'set') return valueKey(operand) === valueKey(compared);
  if (compared.kind !== 'amount' || operand.unit !== compared.unit) return false;
  const [before, after] = [BigInt(compared.before), BigInt(compared.after)];
  switch (operand.by) {
    case 'ratio':
      return before > 0n && before * BigInt(operand.over) === after * BigInt(operand.under);
    case 'add':
      return before + BigInt(operand.micros) === after;
    case 'percent': {
      const unit = unitOf(operand.decimals);
      return (
        before % unit === 0n && rounded(before * BigInt(1000 + operand.tenths), 1000n * unit) * unit === after
      );
    }
  }
}

export function explainsAll(operands: readonly FieldOperand[], fields: readonly ComparedField[]): boolean {
  return (
    operands.length === fields.length &&
    fields.every((compared, index) => {
      const operand = operands[index];
      return operand !== undefined && explains(operand, compared);
    })
  );
}

/**
 * Returns one operand per field that turns each member's old value into its new value, or null if there is none. The fields of
 * each member must be sorted. An exact operand is preferred to a rounded percentage.
 */
export function commonOperand(members: readonly (readonly ComparedField[] | null)[]): FieldOperand[] | null {
  const [first] = members;
  if (first === undefined || first === null) return null;
  const common: FieldOperand[] = [];
  for (const [index, { field }] of first.entries()) {
    const fields: ComparedField[] = [];
    for (const member of members) {
      const compared = member?.length === first.length ? member[index] : undefined;
      if (compared?.field !== field) return null;
      fields.push(compared);
    }
    const operand = operandOf(fields);
    if (operand === null) return null;
    common.push(operand);
  }
  return common.length === 0 ? null : common;
}

export function operandKey(operands: readonly FieldOperand[]): string {
  return canonicalJson(
    operands.map((operand) => {
      if (operand.by !== 'set') return operand;
      const { field, by, value } = operand;
      return value === undefined ? { field, by } : { field, by, value };
    }),
  );
}

function operandOf(fields: readonly ComparedField[]): FieldOperand | null {
  const [first] = fields;
  if (first === undefined) return null;
  const exact = exactOperands(first).find((operand) =>
    fields.every((compared) => explains(operand, compared)),
  );
  return exact ?? percentOf(fields);
}

function exactOperands(compared: ComparedField): FieldOperand[] {
  const { field, kind } = compared;
  if (kind === 'host') return [{ field, by: 'host', before: compared.before, after: compared.after }];
  const { text } = compared;
  const set: FieldOperand = {
    field,
    by: 'set',
    text,
    ...(compared.value !== undefined && { value: compared.value }),
  };
  if (kind === 'value') return [set];
  const { unit } = compared;
  const [before, after] = [BigInt(compared.before), BigInt(compared.after)];
  const add: FieldOperand = { field, by: 'add', unit, micros: (after - before).toString() };
  if (before <= 0n || after <= 0n) return [set, add];
  const divisor = greatestCommonDivisor(before, after);
  const [over, under] = [after / divisor, before / divisor];
  return [{ field, by: 'ratio', unit, over: over.toString(), under: under.toString() }, set, add];
}

function percentOf(fields: readonly ComparedField[]): FieldOperand | null {
  const amounts = fields.filter((compared): compared is ComparedAmount => compared.kind === 'amount');
  const [first] = amounts;
  if (first === undefined || amounts.length < fields.length) return null;
  const { field, unit } = first;
  if (amounts.some((compared) => compared.unit !== unit)) return null;
  const befores = amounts.map(({ before }) => decimalsOf(BigInt(before)));
  const [fewest, most] = unit === 'money' ? [Math.max(2, ...befores), maxDecimals] : [0, 0];
  for (let decimals = fewest; decimals <= most; decimals += 1) {
    const tenths = commonTenths(amounts, decimals);
    if (tenths === null) continue;
    const operand: FieldOperand = { field, by: 'percent', unit, tenths, decimals };
    if (amounts.every((compared) => explains(operand, compared))) return operand;
  }
  return null;
}

/** Considers whole and half percents only: finer steps would join changes that nobody made with one percentage. */
function commonTenths(amounts: readonly ComparedAmount[], decimals: number): number | null {
  let [least, greatest] = [-999n, maxTenths];
  for (const amount of amounts) {
    const range = tenthsOf(amount, unitOf(decimals));
    if (range === null) return null;
    if (range.least > least) least = range.least;
    if (range.greatest < greatest) greatest = range.greatest;
  }
  for (const step of [500n, 100n, 50n, 10n, 5n]) {
    const tenths = ceiling(least, step) * step;
    if (tenths <= greatest && tenths !== 0n) return Number(tenths);
  }
  return null;
}

function tenthsOf(
  { before: from, after: to }: ComparedAmount,
  unit: bigint,
): { least: bigint; greatest: bigint } | null {
  const [before, after] = [BigInt(from), BigInt(to)];
  if (before <= 0n || after <= 0n || before % unit !== 0n || after % unit !== 0n) return null;
  const least = ceiling(1000n * after - 500n * unit, before) - 1000n;
  const greatest = ceiling(1000n * (after + unit) - 500n * unit, before) - 1001n;
  return { least, greatest };
}

/** Less than a tenfold increase, because that is a danger and dangers are decided alone. */
const maxTenths = 9000n;
const maxDecimals = 6;

function unitOf(decimals: number): bigint {
  return 10n ** BigInt(maxDecimals - decimals);
}

function decimalsOf(micros: bigint): number {
  let decimals = maxDecimals;
  while (decimals > 0 && micros % unitOf(decimals - 1) === 0n) decimals -= 1;
  return decimals;
}

function valueKey({ value }: { value?: FieldValue }): string | null {
  return value === undefined ? null : canonicalJson(value);
}

type FieldValue = NonNullable<Extract<ComparedField, { kind: 'value' }>['value']> | null;

function rounded(over: bigint, under: bigint): bigint {
  return (2n * over + under) / (2n * under);
}

function ceiling(over: bigint, under: bigint): bigint {
  const floor = over / under;
  return over % under > 0n ? floor + 1n : floor;
}

function greatestCommonDivisor(one: bigint, other: bigint): bigint {
  let [left, right] = [one, other];
  while (right > 0n) [left, right] = [right, left % right];
  return left;
}
