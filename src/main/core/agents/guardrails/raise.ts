import type { ProposalWords } from '#core/proposals/index.ts';
import { formatMoney } from '#shared/lib/decimal.ts';
import { knownOf } from './asked.ts';

type BeforeAfter = ProposalWords['risk']['perDay'];

/** By how many micros the money at risk per day rises; `unknown` where nobody can tell. Never below 0. */
export type Raise = bigint | 'unlimited' | 'unknown';

/** Of one campaign, or of a sum. What was unlimited before cannot rise. */
export function raiseOfPair({ before, after }: BeforeAfter): Exclude<Raise, 'unknown'> {
  if (before.unlimited) return 0n;
  if (after.unlimited) return 'unlimited';
  const by = BigInt(after.micros) - BigInt(before.micros);
  return by > 0n ? by : 0n;
}

/** Of a whole change. What one campaign gives up makes no room for another one. */
export function raiseOf(words: ProposalWords): Raise {
  if (knownOf({ words }) !== 'all') return 'unknown';
  const raises = words.targets.map(({ perDay }) => raiseOfPair(perDay));
  const together = raiseOfPair(words.risk.perDay);
  const sum = plus(raises);
  if (sum === 'unlimited' || together === 'unlimited') return 'unlimited';
  return sum > together ? sum : together;
}

/** The sum; one unlimited raise makes it unlimited. */
export function plus(raises: readonly Exclude<Raise, 'unknown'>[]): Exclude<Raise, 'unknown'> {
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
