import type { Guarded, ProposalWords } from '#core/proposals/index.ts';
import type { AppStore } from '#core/store/app/index.ts';
import type { Guardrails } from '#shared/app-api/index.ts';
import { type MoneyRaise, raisePerDay, raiseUntilEnd } from '#shared/campaign/index.ts';

import type { Formats } from '#shared/lib/formats.ts';
export interface ProposedChange extends Guarded {
  agentId: string;
  guardrails: Guardrails;
  history: Pick<AppStore['proposals'], 'proposedAtOfAgent' | 'raisesOfAgent'>;
  nowMs: number;
}

/** One guardrail: why it lets the change not pass, what the limit is and what would pass; null if it does. */
export type Rule = (proposed: ProposedChange, formats: Formats) => string | null;

export function unknownField({ effects }: ProposalWords): string | null {
  return effects.changes.find(({ isKnown }) => !isKnown)?.field ?? null;
}

/**
 * True if the whole effect of the change is known. A rule never takes an unknown effect for harmless; the look of a
 * call's arguments, and the campaigns that they name, prove nothing about its tool.
 */
export function isCertain({ effects }: ProposalWords): boolean {
  return effects.certainty === 'stated';
}

/** By how many micros the money at risk rises; `unknown` if it cannot be computed. Never below 0. */
export type Raise = MoneyRaise | 'unknown';

type Figures = Pick<ProposalWords['risk'], 'perDay' | 'untilEnd'>;

export function raisePerDayOf(words: ProposalWords): Raise {
  return totalRaise(words, ({ perDay }) => raisePerDay(perDay));
}

export function raiseUntilEndOf(words: ProposalWords): Raise {
  return totalRaise(words, raiseUntilEnd);
}

/**
 * Campaign by campaign: what one gives up makes no room for another one, one that was unlimited hides nothing of the others, and one that
 * begins today moves the day of no other. An unknown field may raise a budget.
 */
function totalRaise(words: ProposalWords, raiseOf: (figures: Figures) => MoneyRaise): Raise {
  if (!isCertain(words) || unknownField(words) !== null) return 'unknown';
  return words.targets.length === 0 ? raiseOf(words.risk) : plus(words.targets.map(raiseOf));
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

export function raiseInWords(raise: Raise, formats: Formats): string {
  if (raise === 'unknown') return 'Countersign cannot tell what this call would do to it.';
  return raise === 'unlimited'
    ? 'This one makes it unlimited.'
    : `This one raises it by ${formats.money(raise)}.`;
}
