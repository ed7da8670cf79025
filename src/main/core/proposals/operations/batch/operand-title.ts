import type { FieldOperand } from '#core/store/app/index.ts';
import { fieldLabel, statusVerb } from '#shared/campaign/index.ts';
import { isStatusCode } from '#shared/contract/index.ts';
import { factorText, isFactorExact, percentText } from '#shared/lib/decimal.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import type { Formats } from '#shared/lib/formats.ts';

/** The operand of equal changes in one sentence: `Lower bids by 10%`, `Raise bids by 10%, rounded to 3 decimals`. */
export function operandTitle(operands: readonly FieldOperand[], formats: Formats): string {
  return sentence(
    operands.map((operand) => titleOf(operand, formats)),
    formats,
  );
}

function titleOf(operand: FieldOperand, formats: Formats): string {
  const { field } = operand;
  const one = `the ${inSentence(fieldLabel(field))}`;
  const what = plurals[field] ?? one;
  switch (operand.by) {
    case 'set':
      if (field === 'status' && isStatusCode(operand.value)) return statusVerb(operand.value);
      return `Set ${one} to ${operand.text}`;
    case 'host':
      return `Change the host of ${one} from ${inertText(operand.before)} to ${inertText(operand.after)}`;
    case 'add': {
      const micros = BigInt(operand.micros);
      const size = micros < 0n ? -micros : micros;
      const text = operand.unit === 'money' ? formats.money(size) : formats.decimal(size, 0);
      return `${verbOf(micros > 0n)} ${what} by ${text}`;
    }
    case 'ratio':
      return `${verbOf(BigInt(operand.over) > BigInt(operand.under))} ${what} ${ratioWords(operand, formats)}`;
    case 'percent': {
      const { tenths, decimals } = operand;
      const precision =
        decimals === 0 ? 'rounded to whole numbers' : `rounded to ${formats.counted(decimals, 'decimal')}`;
      return `${verbOf(tenths > 0)} ${what} by ${Math.abs(tenths) / 10}%, ${precision}`;
    }
    default:
      return assertNever(operand);
  }
}

function verbOf(isRaise: boolean): string {
  return isRaise ? 'Raise' : 'Lower';
}

/** `by 10%`, `by about 66.7%`, `×3`. */
function ratioWords({ over, under }: Extract<FieldOperand, { by: 'ratio' }>, formats: Formats): string {
  const [from, to] = [Number(under), Number(over)];
  const percent = percentText(from, to);
  if (percent !== null) return `by ${percent}`;
  const factor = factorText(from, to, formats);
  if (factor !== null) return `${isFactorExact(from, to) ? '' : 'about '}${factor}`;
  const tenths = Math.round((Math.abs(to - from) / from) * 1000);
  if (tenths === 0) return 'by less than 0.1%';
  const isExact = BigInt(tenths) * BigInt(under) === abs(BigInt(over) - BigInt(under)) * 1000n;
  return `by ${isExact ? '' : 'about '}${tenths / 10}%`;
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** The field that is raised or lowered in several campaigns. */
const plurals: Readonly<Record<string, string>> = {
  payout: 'bids',
  d_revenue: 'daily budgets',
  t_revenue: 'total budgets',
};

const maxListed = 3;

function sentence(parts: readonly string[], formats: Formats): string {
  const listed = parts.slice(0, maxListed).map((part, index) => (index === 0 ? part : lowered(part)));
  const more = parts.length - listed.length;
  const rest = more === 0 ? [] : [formats.counted(more, 'more change')];
  const all = [...listed, ...rest];
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1) ?? ''}`;
}

/** Labels are sentence case; acronyms keep their capitals. */
function inSentence(label: string): string {
  return /^[A-Z][a-z]/.test(label) ? lowered(label) : label;
}

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
