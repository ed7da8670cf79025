import type { Account, Candidate } from './account.ts';
import {
  allCountries,
  hugeBudget,
  type Idea,
  lowerBid,
  otherHost,
  pause,
  type PlannedChange,
  slippedBid,
} from './ideas.ts';
import { careful, hasty, hostile } from './practice-scripts.ts';

/** Scope of the sample agent's proposals: everything, or enough for a short demonstration; or those of one behaviour in free practice. */
export type Script = 'whole' | 'short' | 'careful' | 'hasty' | 'hostile';

const scripts: Readonly<Record<Script, readonly Idea[]>> = {
  short: [lowerBid, slippedBid, pause],
  whole: [lowerBid, lowerBid, lowerBid, slippedBid, pause, hugeBudget, allCountries, otherHost],
  careful,
  hasty,
  hostile,
};

/**
 * The sample agent's changes, in its order: the same for the same campaigns. No campaign is named twice, so that no
 * change stands in another's way; what fits no campaign is left out.
 */
export function chooseChanges({ campaigns, mayEditClickUrl }: Account, script: Script): PlannedChange[] {
  const ideas = scripts[script].filter(({ editsClickUrl }) => editsClickUrl !== true || mayEditClickUrl);
  const taken = new Set<number>();
  return ideas.flatMap((idea) => {
    const campaign = bestFor(
      idea,
      campaigns.filter(({ cid }) => !taken.has(cid)),
    );
    if (campaign === null) return [];
    taken.add(campaign.cid);
    return [idea.change(campaign)];
  });
}

function bestFor({ fit }: Idea, campaigns: readonly Candidate[]): Candidate | null {
  let best: { campaign: Candidate; fits: number } | null = null;
  for (const campaign of campaigns) {
    const fits = fit(campaign);
    if (fits === null) continue;
    const isBetter =
      best === null || fits > best.fits || (fits === best.fits && campaign.cid < best.campaign.cid);
    if (isBetter) best = { campaign, fits };
  }
  return best?.campaign ?? null;
}
