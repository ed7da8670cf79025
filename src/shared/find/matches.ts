import {
  type Clocks,
  costToday,
  dayNumber,
  flightEnd,
  flightIsOver,
  kindOf,
  rowLimit,
  runningNow,
  serviceDay,
  targetingDimensions,
  typeOf,
} from '../campaign/index.ts';
import type { CampaignEdit, CampaignRow } from '../contract/index.ts';
import { mayBeList, membersOf, switchOf } from '../drafts/index.ts';
import { assertNever } from '../lib/assert-never.ts';
import { type JsonObject, type JsonValue, own } from '../lib/json/json-value.ts';
import { foldedText } from '../lib/folded-text.ts';
import { webHost } from '../lib/web-address.ts';
import type { CampaignCondition } from './condition.ts';
import { needsFull } from './text.ts';

export interface SearchedCampaign {
  row: CampaignRow;
  /** Null if the campaign was not read in full. */
  edit: CampaignEdit | null;
  labels: readonly string[];
  hasNote: boolean;
}

/** Tests a campaign against a condition. Null if the condition needs the complete campaign and it was not read in full. */
export type Matcher = (campaign: SearchedCampaign) => boolean | null;

export function matcherOf(condition: CampaignCondition, clocks: Clocks): Matcher {
  switch (condition.kind) {
    case 'status':
      return ({ row }) => condition.statuses.includes(row.status);
    case 'type':
      return ({ row }) => condition.names.includes(row.type_name);
    case 'name': {
      const text = foldedText(condition.text);
      return ({ row }) => foldedText(row.name).includes(text) === (condition.is === 'contains');
    }
    case 'ids': {
      const cids = new Set(condition.cids);
      return ({ row }) => cids.has(row.cid);
    }
    case 'bid': {
      const { min, max } = condition;
      return ({ row }) => row.payout >= (min ?? -Infinity) && row.payout <= (max ?? Infinity);
    }
    case 'budget': {
      const { column, is, amount } = condition;
      return ({ row }) => (is === 'above' ? rowLimit(row, column) > amount : rowLimit(row, column) < amount);
    }
    case 'country': {
      const codes = new Set(condition.codes.map(keyOf));
      return ({ row }) =>
        row.geo.length === 0 ? condition.orAll : row.geo.some((code) => codes.has(keyOf(code)));
    }
    case 'countryTargeting':
      return ({ row }) => (row.geo.length === 0) === (condition.is === 'all');
    case 'bidControls':
      return ({ row }) => row.bid_control_count > 0 === condition.has;
    case 'spendsToday': {
      const today = serviceDay(clocks.nowMs, clocks.serviceZone);
      return ({ row, edit }) => {
        const cost = costToday(row, edit?.campaign ?? null, today);
        return cost.kind === 'unlimited' || (condition.limit === 'any' && cost.micros > 0n);
      };
    }
    case 'label': {
      const wanted = new Set(condition.labels);
      return ({ labels }) => labels.some((id) => wanted.has(id)) === (condition.is === 'any');
    }
    case 'note':
      return ({ hasNote }) => hasNote === condition.has;
    case 'runsNow':
      return inFull(({ campaign }) => (runningNow(campaign, clocks) === 'runs') === condition.runs);
    case 'endsWithin':
      return inFull(({ campaign }) => {
        const days = daysUntilEnd(campaign, clocks);
        return days !== null && days <= condition.days && !flightIsOver(campaign, clocks);
      });
    case 'noEnd':
      return inFull(({ campaign }) => flightEnd(campaign) === null);
    case 'pricing':
      return inFull(({ campaign, campaign_types: types }) =>
        condition.pricings.includes(kindOf(typeOf(campaign, { types })).pricing),
      );
    case 'domain': {
      const domain = keyOf(condition.domain);
      const inCampaign = inFull(({ campaign }) =>
        ['clickurl', 'website'].some((field) => isAt(own(campaign, field), domain)),
      );
      // The website is a list column. If it is at the domain, the row matches. If it is not, the click URL still may
      // be.
      return (subject) => inCampaign(subject) ?? (isAt(subject.row.website, domain) || null);
    }
    case 'member': {
      const { field, is, orAll } = condition;
      const member = keyOf(condition.member);
      return inFull(({ campaign }) => {
        const isNamed = hasMember(campaign, field, member) || (orAll && targetsAll(campaign, field));
        return isNamed === (is === 'contains');
      });
    }
    default:
      return assertNever(condition);
  }
}

function daysUntilEnd(campaign: JsonObject, { nowMs, serviceZone }: Clocks): number | null {
  const end = flightEnd(campaign);
  return end === null ? null : end.day - (dayNumber(serviceDay(nowMs, serviceZone).date) ?? 0);
}

const inFull =
  (test: (edit: CampaignEdit) => boolean): Matcher =>
  ({ edit }) =>
    edit === null ? null : test(edit);

export interface Search {
  found: SearchedCampaign[];
  unknown: number;
}

export function search(
  campaigns: Iterable<SearchedCampaign>,
  conditions: readonly CampaignCondition[],
  clocks: Clocks,
): Search {
  const [cheap, others] = [false, true].map((full) =>
    conditions.filter((condition) => needsFull(condition) === full),
  );
  const matchers = [...(cheap ?? []), ...(others ?? [])].map((condition) => matcherOf(condition, clocks));
  const found: SearchedCampaign[] = [];
  let unknown = 0;
  for (const campaign of campaigns) {
    const verdict = verdictOf(campaign, matchers);
    if (verdict === true) found.push(campaign);
    if (verdict === null) unknown += 1;
  }
  return { found, unknown };
}

function verdictOf(campaign: SearchedCampaign, matchers: readonly Matcher[]): boolean | null {
  let verdict: boolean | null = true;
  for (const matches of matchers) {
    const one = matches(campaign);
    if (one === false) return false;
    if (one === null) verdict = null;
  }
  return verdict;
}

const keyOf = (text: string): string => text.trim().toLowerCase();

function isAt(url: JsonValue | undefined, domain: string): boolean {
  const host = typeof url === 'string' ? webHost(url)?.replace(/:\d+$/u, '') : undefined;
  return host !== undefined && (host === domain || host.endsWith(`.${domain}`));
}

/**
 * True if the list belongs to a dimension that targets all values. The content of the list is then irrelevant (contract
 * §2.4).
 */
function targetsAll(campaign: JsonObject, field: string | null): boolean {
  const dimension = targetingDimensions.find(({ list }) => list === field);
  return dimension !== undefined && own(campaign, dimension.flag) === 1;
}

function hasMember(campaign: JsonObject, field: string | null, member: string): boolean {
  if (field !== null) return isInEffect(campaign, field) && names(own(campaign, field), member);
  for (const name in campaign) {
    const value = campaign[name];
    if (mayBeList(name, value) && isInEffect(campaign, name) && names(value, member)) return true;
  }
  return false;
}

function isInEffect(campaign: JsonObject, list: string): boolean {
  const flag = switchOf(list);
  return !targetsAll(campaign, list) && (flag === undefined || own(campaign, flag) !== 0);
}

/** Compares in place: a search of ten thousand campaigns must not copy every list. */
function names(list: JsonValue | undefined, member: string): boolean {
  if (typeof list === 'string') return membersOf(list)?.some((item) => isMember(item, member)) ?? false;
  return Array.isArray(list) && list.some((item) => isMember(item, member));
}

function isMember(item: JsonValue, member: string): boolean {
  if (typeof item === 'number') return String(item) === member;
  return typeof item === 'string' && item.length >= member.length && keyOf(item) === member;
}
