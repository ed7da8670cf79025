import { formatMoney } from '#shared/lib/decimal.ts';
import type { Asked, Rule } from '../asked.ts';
import { raiseInWords, raisePerDayOf, raiseUntilEndOf, type Raise } from '../raise.ts';

export const maxRaisePerDay: Rule = ({ guardrails, words }) =>
  refusalOf({ most: guardrails.maxRaisePerDayMicros, span: 'per day', raise: () => raisePerDayOf(words) });

export const maxRaiseUntilEnd: Rule = ({ guardrails, words }) =>
  refusalOf({
    most: guardrails.maxRaiseUntilEndMicros,
    span: 'until the end',
    raise: () => raiseUntilEndOf(words),
  });

interface Limit {
  most: Asked['guardrails']['maxRaisePerDayMicros'];
  span: string;
  raise(): Raise;
}

function refusalOf({ most, span, raise }: Limit): string | null {
  if (most === null) return null;
  const by = raise();
  if (typeof by === 'bigint' && by <= BigInt(most)) return null;
  return `One change may raise the money at risk ${span} by ${formatMoney(BigInt(most))} at most. ${raiseInWords(by)}`;
}
