import type { ProposalWords } from '#core/proposals/index.ts';
import { greaterRaise, raisePerDay, raiseUntilEnd, type MoneyRaise } from '#shared/campaign/index.ts';
import { formatMoney } from '#shared/lib/decimal.ts';
import { knownOf, unknownField } from './asked.ts';

/** By how many micros the money at risk rises; `unknown` where nobody can tell. Never below 0. */
export type Raise = MoneyRaise | 'unknown';

type Figures = Pick<ProposalWords['risk'], 'perDay' | 'untilEnd'>;

/** Per day, of a whole change. */
export function raisePerDayOf(words: ProposalWords): Raise {
  return wholeRaise(words, ({ perDay }) => raisePerDay(perDay));
}

/** Until the end, of a whole change. */
export function raiseUntilEndOf(words: ProposalWords): Raise {
  return wholeRaise(words, raiseUntilEnd);
}

/** A field that nobody knows may lift a budget. What one campaign gives up makes no room for another one, and one that was unlimited hides nothing of the others. */
function wholeRaise(words: ProposalWords, raiseOf: (figures: Figures) => MoneyRaise): Raise {
  if (knownOf({ words }) !== 'all' || unknownField(words.changes) !== null) return 'unknown';
  return greaterRaise(plus(words.targets.map(raiseOf)), raiseOf(words.risk));
}

/** The sum; one unlimited raise makes it unlimited. */
export function plus(raises: readonly MoneyRaise[]): MoneyRaise {
  let sum = 0n;
  for (const raise of raises) {
    if (raise === 'unlimited') return 'unlimited';
    sum += raise;
  }
  return sum;
}

/** Why a raise is more than may pass, as a sentence. */
export function raiseInWords(raise: Raise): string {
  if (raise === 'unknown') return 'Countersign cannot tell what this call would do to it.';
  return raise === 'unlimited'
    ? 'This one makes it unlimited.'
    : `This one raises it by ${formatMoney(raise)}.`;
}
