import { exposureTexts, type Exposure, type MoneySum } from '#shared/campaign/index.ts';
import type { ProposalView } from '#shared/app-api/index.ts';

/** One part of the money at risk, before and after, as people read it. */
export function moneyPair(
  part: 'perDay' | 'untilEnd',
  { before, after }: { before: Exposure; after: Exposure },
): ProposalView['risk']['perDay'] {
  return { before: exposureTexts(before)[part], after: exposureTexts(after)[part] };
}

/** How many campaigns the sums are of, and which of those are counted apart; nothing for a single one. */
export function countsOf({
  perDay,
  untilEnd,
  campaignCount,
}: {
  perDay: MoneySum;
  untilEnd: MoneySum;
  campaignCount: number;
}): Pick<ProposalView['risk'], 'campaignCount' | 'alwaysUnlimited'> {
  if (campaignCount < 2) return {};
  const isApart = perDay.alwaysUnlimited + untilEnd.alwaysUnlimited > 0;
  const alwaysUnlimited = { perDay: perDay.alwaysUnlimited, untilEnd: untilEnd.alwaysUnlimited };
  return { campaignCount, ...(isApart && { alwaysUnlimited }) };
}

/**
 * Money that cannot be known: it reads “Unknown” and never `$0.00`. In a sum or against a limit it counts as nothing before and as
 * unlimited afterwards, the most that a call could do.
 */
export const unknownMoney: ProposalView['risk']['perDay'] = {
  before: { text: 'Unknown', unlimited: false, micros: '0' },
  after: { text: 'Unknown', unlimited: true, micros: '' },
};
