import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { type Candidate, type Idea, type PlannedChange, type Script, scripts } from './ideas.ts';

/** Campaigns and what their tenant lets members do. */
export interface Account {
  campaigns: Candidate[];
  mayEditClickUrl: boolean;
}

/** The first campaign of a list; null if there is none. */
export function firstCid(list: JsonValue): number | null {
  const [first] = Array.isArray(list) ? list : [];
  return isJsonObject(first) ? numberOf(first['cid']) : null;
}

/** Reads the answers of the two read tools: the campaigns in full, and one of them with types and settings. */
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
  const { minBid, maxBid } = objectOf(typeof type === 'number' ? types[type] : undefined);
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

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function numberOf(value: JsonValue | undefined): number | null {
  return typeof value === 'number' ? value : null;
}

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
