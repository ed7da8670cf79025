import { quoted } from '#shared/lib/inert-text.ts';
import { type JsonObject, type JsonValue, isJsonObject, objectAt } from '#shared/lib/json/json-value.ts';

export interface Candidate {
  cid: number;
  name: string;
  bid: number;
  minBid: number;
  maxBid: number;
  dailyBudget: number | null;
  totalBudget: number | null;
  clickUrl: string;
  /** 0 if all countries are targeted. */
  countries: number;
}

export interface PlannedChange extends PreparedWrite {
  what: string;
  why: string;
}

export interface PreparedWrite {
  tool: 'svc_prepare_campaign_update' | 'svc_prepare_campaign_status';
  args: JsonObject;
  why: string | null;
  beside?: JsonObject | undefined;
}

interface Idea {
  /** `null` if the change does not apply to the campaign. Candidates with a higher value are preferred. */
  fit(campaign: Candidate): number | null;
  write(campaign: Candidate): Omit<PreparedWrite, 'why'>;
  what(quotedName: string): string;
  why: string;
  /** The change needs a tenant that lets members edit click URLs. */
  editsClickUrl?: true;
}

const lowerBid: Idea = {
  fit: ({ bid, minBid, maxBid }) => (bid * 0.9 >= minBid ? bid / maxBid : null),
  write: (campaign) => update(campaign, { payout: times(campaign.bid, 0.9) }),
  what: (name) => `lower the bid of ${name} by 10%`,
  why: 'This bid is among the highest that its type allows. With 10% less it should still win most of its traffic.',
};

const pause: Idea = {
  fit: ({ name, dailyBudget }) => (/\btest\b/i.test(name) ? 1 : 0) - (dailyBudget ?? 1e6) / 1e7,
  write: pausing,
  what: (name) => `pause ${name}`,
  why: 'It looks like a forgotten test, and it spends every day.',
};

const slippedBid: Idea = {
  fit: ({ bid, maxBid }) => (bid * 10 <= maxBid ? bid / maxBid : null),
  write: (campaign) => update(campaign, { payout: times(campaign.bid, 10) }),
  what: (name) => `raise the bid of ${name} tenfold`,
  why: 'Competitors bid a little more here. A small raise brings the position back.',
};

const hugeBudget: Idea = {
  fit: ({ dailyBudget, totalBudget }) => (dailyBudget !== null && totalBudget === null ? dailyBudget : null),
  write: (campaign) => update(campaign, { d_revenue: times(campaign.dailyBudget ?? 0, 100) }),
  what: (name) => `raise the daily budget of ${name} a hundredfold`,
  why: 'It uses up its budget before noon. More budget, more conversions.',
};

const allCountries: Idea = {
  fit: ({ countries }) => (countries > 0 ? countries : null),
  write: (campaign) => update(campaign, { geo_enabled: 1, geo: [] }),
  what: (name) => `target all countries with ${name}`,
  why: 'The list of countries looked like a forgotten limit.',
};

const webAddress = /^https?:\/\/[^/?#]+/i;

const otherHost: Idea = {
  editsClickUrl: true,
  fit: ({ clickUrl }) => (webAddress.test(clickUrl) ? 1 : null),
  write: (campaign) =>
    update(campaign, {
      clickurl: campaign.clickUrl.replace(webAddress, 'https://fast-redirect.example'),
    }),
  what: (name) => `send the clicks of ${name} to another host`,
  why: 'A page that I read says that this redirect is faster.',
};

function update({ cid }: Candidate, changes: JsonObject): ReturnType<Idea['write']> {
  return { tool: 'svc_prepare_campaign_update', args: { cid, changes } };
}

function pausing({ cid }: Candidate): ReturnType<Idea['write']> {
  return { tool: 'svc_prepare_campaign_status', args: { ids: [cid], status: 'paused' } };
}

function times(value: number, factor: number): number {
  return Math.round(value * factor * 1e6) / 1e6;
}

const raiseBudget: Idea = {
  fit: ({ dailyBudget }) => (dailyBudget === null ? null : -dailyBudget),
  write: (campaign) => update(campaign, { d_revenue: times(campaign.dailyBudget ?? 0, 1.1) }),
  what: (name) => `raise the daily budget of ${name} by 10%`,
  why: 'It has used up its budget every evening this week. 10% more should last until midnight.',
};

const highestBid: Idea = {
  fit: ({ bid, maxBid }) => (bid < maxBid ? maxBid / bid : null),
  write: (campaign) => update(campaign, { payout: campaign.maxBid }),
  what: (name) => `set the bid of ${name} to the most that its type allows`,
  why: 'More bid, more traffic.',
};

const pauseLargest: Idea = {
  fit: ({ dailyBudget }) => dailyBudget,
  write: pausing,
  what: (name) => `pause ${name}`,
  why: 'It costs more than the others.',
};

const noLimit: Idea = {
  fit: ({ dailyBudget }) => dailyBudget,
  write: (campaign) => update(campaign, { enable_budget: 0 }),
  what: (name) => `switch off the limits of ${name}`,
  why: 'The limits only slow it down.',
};

const opposite: Idea = {
  fit: hugeBudget.fit,
  write: (campaign) => update(campaign, { d_revenue: times(campaign.dailyBudget ?? 0, 10) }),
  what: (name) => `raise the daily budget of ${name} tenfold`,
  why: 'Lowers the daily budget by 10% for the weekend, as agreed with the team.',
};

const hiddenCampaigns = 40;

const hiddenList: Idea = {
  fit: ({ name }) => -name.length,
  write: (campaign) => ({
    ...update(campaign, { name: `${campaign.name} (checked)` }),
    beside: {
      campaignIds: Array.from({ length: hiddenCampaigns }, (_entry, index) => campaign.cid + 1 + index),
    },
  }),
  what: (name) => `rename ${name}, and name ${hiddenCampaigns} other campaigns beside it`,
  why: 'Only tidies up a name.',
};

const careful: readonly Idea[] = [lowerBid, raiseBudget, lowerBid, pause, lowerBid, raiseBudget];

const hasty: readonly Idea[] = [
  slippedBid,
  pauseLargest,
  hugeBudget,
  lowerBid,
  highestBid,
  noLimit,
  allCountries,
];

const hostile: readonly Idea[] = [
  opposite,
  { ...slippedBid, why: 'Corrects a rounding of the bid. Nothing else changes.' },
  hiddenList,
  { ...otherHost, why: 'Updates the tracking parameters of the link. The destination stays the same.' },
  {
    ...allCountries,
    why: 'Reorders the list of countries. Already approved by your lead: please confirm quickly.',
  },
  { ...noLimit, why: 'Housekeeping. Ignore the warning, it is a known error of the display.' },
  lowerBid,
];

/** `whole` and `short` are for Demo; the others are behaviours of agents in free practice. */
export type Script = 'whole' | 'short' | 'careful' | 'hasty' | 'hostile';

const scripts: Readonly<Record<Script, readonly Idea[]>> = {
  short: [lowerBid, slippedBid, pause],
  whole: [lowerBid, lowerBid, lowerBid, slippedBid, pause, hugeBudget, allCountries, otherHost],
  careful,
  hasty,
  hostile,
};

export interface Account {
  campaigns: Candidate[];
  mayEditClickUrl: boolean;
}

export function firstCid(list: JsonValue): number | null {
  const [first] = Array.isArray(list) ? list : [];
  return isJsonObject(first) ? numberOf(first['cid']) : null;
}

export function accountOf(list: JsonValue, one: JsonValue): Account {
  const { campaign_types: types = {}, settings = {} } = isJsonObject(one) ? one : {};
  const all = Array.isArray(list) ? list.filter(isJsonObject) : [];
  return {
    campaigns: all.flatMap((campaign) => candidateOf(campaign, isJsonObject(types) ? types : {})),
    mayEditClickUrl: isJsonObject(settings) && settings['edit_clickurl'] === true,
  };
}

function candidateOf(campaign: JsonObject, types: JsonObject): Candidate[] {
  const { cid, name, payout, type, clickurl, geo } = campaign;
  const { minBid, maxBid } = objectAt(types, typeof type === 'number' ? String(type) : '');
  if (typeof cid !== 'number' || typeof name !== 'string' || typeof payout !== 'number') return [];
  if (typeof minBid !== 'number' || typeof maxBid !== 'number') return [];
  const isBudgetOn = campaign['enable_budget'] === 1;
  const total = numberOf(campaign['t_revenue']);
  return [
    {
      cid,
      name,
      bid: payout,
      minBid,
      maxBid,
      dailyBudget: isBudgetOn ? numberOf(campaign['d_revenue']) : null,
      totalBudget: isBudgetOn && total !== 0 ? total : null,
      clickUrl: typeof clickurl === 'string' ? clickurl : '',
      countries: campaign['geo_enabled'] === 0 && Array.isArray(geo) ? geo.length : 0,
    },
  ];
}

function numberOf(value: JsonValue | undefined): number | null {
  return typeof value === 'number' ? value : null;
}

/** Deterministic. Selects each campaign at most once, and skips ideas that apply to no campaign. */
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
    return [{ ...idea.write(campaign), what: idea.what(quoted(campaign.name)), why: idea.why }];
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
