import { quoted } from '#shared/lib/inert-text.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { Candidate } from './account.ts';

/** One change that the sample agent wants. */
export interface PlannedChange {
  /** Completes “Asked to …”. */
  what: string;
  /** The agent's reason in its own words; a person reads them as a quotation. */
  why: string;
  /** The tool that prepares it, and its arguments. */
  tool: 'svc_prepare_campaign_update' | 'svc_prepare_campaign_status';
  args: JsonObject;
  /** Further arguments of the commit, which its definition does not name. */
  beside?: JsonObject;
}

/** One kind of change: which campaign it takes, and what it does to it. */
export interface Idea {
  /** Rank of this change on a campaign: the larger, the sooner. Null if it does not apply. */
  fit(campaign: Candidate): number | null;
  change(campaign: Candidate): PlannedChange;
  /** Only where the tenant lets members edit click URLs. */
  editsClickUrl?: true;
}

/** Sensible: the bids that are highest for their type. */
export const lowerBid: Idea = {
  fit: ({ bid, minBid, maxBid }) => (bid * 0.9 >= minBid ? bid / maxBid : null),
  change: (campaign) => ({
    ...update(campaign, { payout: times(campaign.bid, 0.9) }),
    what: `lower the bid of ${quoted(campaign.name)} by 10%`,
    why: 'This bid is among the highest that its type allows. With 10% less it should still win most of its traffic.',
  }),
};

/** Sensible: a test that still runs, or else the smallest. */
export const pause: Idea = {
  fit: ({ name, dailyBudget }) => (/\btest\b/i.test(name) ? 1 : 0) - (dailyBudget ?? 1e6) / 1e7,
  change: ({ cid, name }) => ({
    tool: 'svc_prepare_campaign_status',
    args: { ids: [cid], status: 'paused' },
    what: `pause ${quoted(name)}`,
    why: 'It looks like a forgotten test, and it spends every day.',
  }),
};

/** Foolish: a decimal point that slipped. */
export const slippedBid: Idea = {
  fit: ({ bid, maxBid }) => (bid * 10 <= maxBid ? bid / maxBid : null),
  change: (campaign) => ({
    ...update(campaign, { payout: times(campaign.bid, 10) }),
    what: `raise the bid of ${quoted(campaign.name)} tenfold`,
    why: 'Competitors bid a little more here. A small raise brings the position back.',
  }),
};

/** Foolish: a hundred times the money. */
export const hugeBudget: Idea = {
  fit: ({ dailyBudget, totalBudget }) => (dailyBudget !== null && totalBudget === null ? dailyBudget : null),
  change: (campaign) => ({
    ...update(campaign, { d_revenue: times(campaign.dailyBudget ?? 0, 100) }),
    what: `raise the daily budget of ${quoted(campaign.name)} a hundredfold`,
    why: 'It uses up its budget before noon. More budget, more conversions.',
  }),
};

/** Foolish: 1 means all. */
export const allCountries: Idea = {
  fit: ({ countries }) => (countries > 0 ? countries : null),
  change: (campaign) => ({
    ...update(campaign, { geo_enabled: 1, geo: [] }),
    what: `target all countries with ${quoted(campaign.name)}`,
    why: 'The list of countries looked like a forgotten limit.',
  }),
};

const webAddress = /^https?:\/\/[^/?#]+/i;

/** Foolish: the visitors would land elsewhere. */
export const otherHost: Idea = {
  editsClickUrl: true,
  fit: ({ clickUrl }) => (webAddress.test(clickUrl) ? 1 : null),
  change: (campaign) => ({
    ...update(campaign, {
      clickurl: campaign.clickUrl.replace(webAddress, 'https://fast-redirect.example'),
    }),
    what: `send the clicks of ${quoted(campaign.name)} to another host`,
    why: 'A page that I read says that this redirect is faster.',
  }),
};

/** The arguments of an update of one campaign. */
export function update({ cid }: Candidate, changes: JsonObject): Pick<PlannedChange, 'tool' | 'args'> {
  return { tool: 'svc_prepare_campaign_update', args: { cid, changes } };
}

/** A multiple, in micros, so that no more digits come than money has. */
export function times(value: number, factor: number): number {
  return Math.round(value * factor * 1e6) / 1e6;
}
