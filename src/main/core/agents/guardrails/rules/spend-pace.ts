import { raisePerDay, type MoneyRaise } from '#shared/campaign/index.ts';
import { formatMoney } from '#shared/lib/decimal.ts';
import type { Asked, Rule } from '../asked.ts';
import { plus, raiseInWords, raisePerDayOf } from '../raise.ts';

const msPerHour = 3_600_000;

/**
 * By what was approved in the window, and by what still waits: all of it may be approved. What raises nothing always
 * passes. What is asked again on a moved base stands in for the one before.
 */
export const spendPace: Rule = (asked) => {
  const { guardrails, words } = asked;
  if (guardrails.spendPace === null) return null;
  const raise = raisePerDayOf(words);
  if (raise === 0n) return null;
  const { micros, hours } = guardrails.spendPace;
  const most = BigInt(micros);
  const taken = takenOf(asked, hours);
  if (typeof raise === 'bigint' && taken !== 'unlimited' && taken + raise <= most) return null;
  return [
    `The changes of one agent may raise the money at risk per day by ${formatMoney(most)} in ${hours} ${hours === 1 ? 'hour' : 'hours'} at most.`,
    raiseInWords(raise),
    roomInWords(most, taken),
  ].join(' ');
};

function takenOf({ history, agentId, draft, nowMs }: Asked, hours: number): MoneyRaise {
  const earlier = history.raisesOfAgent(agentId, nowMs - hours * msPerHour, draft.rebase?.of ?? null);
  return plus(
    earlier.map(({ perDay, targetCount }) =>
      // A sum that was unlimited already hides what the others of it did.
      perDay.before.unlimited && perDay.after.unlimited && targetCount > 1
        ? 'unlimited'
        : raisePerDay(perDay),
    ),
  );
}

function roomInWords(most: bigint, taken: MoneyRaise): string {
  if (taken === 'unlimited')
    return 'An earlier one made it unlimited already: only what raises nothing passes.';
  const room = most - taken;
  if (room <= 0n) return 'Earlier ones have used it up: only what raises nothing passes.';
  return `A raise of up to ${formatMoney(room)} passes.`;
}
