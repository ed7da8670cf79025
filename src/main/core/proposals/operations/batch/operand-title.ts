import type { FieldOperand } from '#core/store/app/index.ts';
import { fieldLabel } from '#shared/campaign/index.ts';
import { statusVerb, valueWords } from '#shared/wording/index.ts';
import { isStatusCode } from '#shared/contract/index.ts';
import { factorText, isFactorExact, percentText } from '#shared/lib/decimal.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { ownWords, type OwnWords, type Sentence, sentence } from '#shared/lib/sentence.ts';

/** The operand of equal changes in one sentence: `Lower bids by 10%`, `Raise bids by 10%, rounded to 3 decimals`. */
export function operandTitle(operands: readonly FieldOperand[], formats: Formats): Sentence {
  const titles = operands.map((operand) => titleOf(operand, formats));
  return sentence`${ownWords(enumerated(titles, formats))}`;
}

function titleOf(operand: FieldOperand, formats: Formats): Sentence {
  const { field } = operand;
  const one = ownWords(`the ${inSentence(fieldLabel(field))}`);
  const plural = plurals[field];
  const what = plural === undefined ? one : ownWords(plural);
  switch (operand.by) {
    case 'set':
      if (field === 'status' && isStatusCode(operand.value)) return statusVerb(operand.value);
      return sentence`Set ${one} to ${valueWords(field, operand.text)}`;
    case 'host':
      return sentence`Change the host of ${one} from ${operand.before} to ${operand.after}`;
    case 'add': {
      const micros = BigInt(operand.micros);
      const size = micros < 0n ? -micros : micros;
      const text = operand.unit === 'money' ? formats.money(size) : formats.decimal(size, 0);
      return sentence`${verbOf(micros > 0n)} ${what} by ${ownWords(text)}`;
    }
    case 'ratio':
      return sentence`${verbOf(BigInt(operand.over) > BigInt(operand.under))} ${what} ${ownWords(ratioWords(operand, formats))}`;
    case 'percent': {
      const { tenths, decimals } = operand;
      const precision =
        decimals === 0 ? 'rounded to whole numbers' : `rounded to ${formats.counted(decimals, 'decimal')}`;
      return sentence`${verbOf(tenths > 0)} ${what} by ${Math.abs(tenths) / 10}%, ${ownWords(precision)}`;
    }
    default:
      return assertNever(operand);
  }
}

function verbOf(isRaise: boolean): OwnWords {
  return ownWords(isRaise ? 'Raise' : 'Lower');
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

function enumerated(parts: readonly string[], formats: Formats): string {
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
