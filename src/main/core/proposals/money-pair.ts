import { moneyText, type Exposure } from '#shared/campaign/index.ts';
import type { ProposalView } from '#shared/app-api/index.ts';

/** One part of the money at risk, before and after, as people read it. */
export function moneyPair(
  part: 'perDay' | 'untilEnd',
  { before, after }: { before: Exposure; after: Exposure },
): ProposalView['risk']['perDay'] {
  return { before: moneyText(before[part]), after: moneyText(after[part]) };
}
