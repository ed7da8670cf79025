import { formatMoney } from '#shared/lib/decimal.ts';
import type { Rule } from '../asked.ts';
import { raiseInWords, raiseOf } from '../raise.ts';

export const maxRaisePerDay: Rule = ({ guardrails, words }) => {
  if (guardrails.maxRaisePerDayMicros === null) return null;
  const most = BigInt(guardrails.maxRaisePerDayMicros);
  const raise = raiseOf(words);
  if (typeof raise === 'bigint' && raise <= most) return null;
  return `One change may raise the money at risk per day by ${formatMoney(most)} at most. ${raiseInWords(raise)}`;
};
