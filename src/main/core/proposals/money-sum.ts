import { sumMoneyTexts } from '#shared/campaign/index.ts';
import type { ProposalView } from '#shared/app-api/index.ts';

type BeforeAfter = ProposalView['risk']['perDay'];

/** The exact sum before and after; one unlimited part makes it unlimited. */
export function sumOf(pairs: readonly BeforeAfter[]): BeforeAfter {
  return {
    before: sumMoneyTexts(pairs.map(({ before }) => before)),
    after: sumMoneyTexts(pairs.map(({ after }) => after)),
  };
}

/** True when more may be spent after the change than before it. */
export function rises({ before, after }: BeforeAfter): boolean {
  if (after.unlimited) return !before.unlimited;
  return !before.unlimited && BigInt(after.micros) > BigInt(before.micros);
}
