import { quoted } from '#shared/lib/inert-text.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { Account, Candidate } from './account.ts';

/** One change that the sample agent wants. */
export interface PlannedChange {
  /** Completes “Asked to …”. */
  what: string;
  /** The agent's reason in its own words; a person reads them as a quotation. */
  why: string;
  /** The tool that prepares it, and its arguments. */
  tool: 'svc_prepare_campaign_update' | 'svc_prepare_campaign_status';
  args: JsonObject;
}

/** Scope of the sample agent's proposals: everything, or enough for a short demonstration. */
export type Script = 'whole' | 'short';

/** One kind of change: which campaign it takes, and what it does to it. */
interface Idea {
  /** Rank of this change on a campaign: the larger, the sooner. Null if it does not apply. */
  fit(campaign: Candidate): number | null;
  change(campaign: Candidate): PlannedChange;
}

/** Sensible: the bids that are highest for their type. */
const lowerBid: Idea = {
  fit: ({ bid, minBid, maxBid }) => (bid * 0.9 >= minBid ? bid / maxBid : null),
  change: (campaign) => ({
    ...update(campaign, { payout: times(campaign.bid, 0.9) }),
    what: `lower the bid of ${quoted(campaign.name)} by 10 %`,
    why: 'This bid is among the highest that its type allows. With 10 % less it should still win most of its traffic.',
  }),
};

/** Sensible: a test that still runs, or else the smallest. */
const pause: Idea = {
  fit: ({ name, dailyBudget }) => (/\btest\b/i.test(name) ? 1 : 0) - (dailyBudget ?? 1e6) / 1e7,
  change: ({ cid, name }) => ({
    tool: 'svc_prepare_campaign_status',
    args: { ids: [cid], status: 'paused' },
    what: `pause ${quoted(name)}`,
    why: 'It looks like a forgotten test, and it spends every day.',
  }),
};

/** Foolish: a decimal point that slipped. */
const slippedBid: Idea = {
  fit: ({ bid, maxBid }) => (bid * 10 <= maxBid ? bid / maxBid : null),
  change: (campaign) => ({
    ...update(campaign, { payout: times(campaign.bid, 10) }),
    what: `raise the bid of ${quoted(campaign.name)} to ten times of it`,
    why: 'Competitors bid a little more here. A small raise brings the position back.',
  }),
};

/** Foolish: a hundred times the money. */
const hugeBudget: Idea = {
  fit: ({ dailyBudget, totalBudget }) => (dailyBudget !== null && totalBudget === null ? dailyBudget : null),
  change: (campaign) => ({
    ...update(campaign, { d_revenue: times(campaign.dailyBudget ?? 0, 100) }),
    what: `raise the daily budget of ${quoted(campaign.name)} to a hundred times of it`,
    why: 'It uses up its budget before noon. More budget, more conversions.',
  }),
};

/** Foolish: 1 means all. */
const allCountries: Idea = {
  fit: ({ countries }) => (countries > 0 ? countries : null),
  change: (campaign) => ({
    ...update(campaign, { geo_enabled: 1, geo: [] }),
    what: `target all countries with ${quoted(campaign.name)}`,
    why: 'The list of countries looked like a forgotten limit.',
  }),
};

const webAddress = /^https?:\/\/[^/?#]+/i;

/** Foolish: the visitors would land elsewhere. */
const otherHost: Idea = {
  fit: ({ clickUrl }) => (webAddress.test(clickUrl) ? 1 : null),
  change: (campaign) => ({
    ...update(campaign, {
      clickurl: campaign.clickUrl.replace(webAddress, 'https://fast-redirect.example'),
    }),
    what: `send the clicks of ${quoted(campaign.name)} to another host`,
    why: 'A page that I read says that this redirect is faster.',
  }),
};

const short = [lowerBid, slippedBid, pause];
const whole = [lowerBid, lowerBid, lowerBid, slippedBid, pause, hugeBudget, allCountries];

/**
 * The sample agent's changes, in its order: the same for the same campaigns. No campaign is named twice, so that no
 * change stands in another's way; what fits no campaign is left out.
 */
export function chooseChanges({ campaigns, mayEditClickUrl }: Account, script: Script): PlannedChange[] {
  const ideas = script === 'short' ? short : [...whole, ...(mayEditClickUrl ? [otherHost] : [])];
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

function update({ cid }: Candidate, changes: JsonObject): Pick<PlannedChange, 'tool' | 'args'> {
  return { tool: 'svc_prepare_campaign_update', args: { cid, changes } };
}

/** In micros, so that no more digits come than money has. */
function times(value: number, factor: number): number {
  return Math.round(value * factor * 1e6) / 1e6;
}
