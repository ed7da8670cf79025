import { dateText } from '../lib/date-text.ts';
import { inertStart, inertText, quoted } from '../lib/inert-text.ts';
import { jsonEqual, type JsonValue } from '../lib/json/json-value.ts';
import { isStatusCode, type StatusCode } from '../contract/index.ts';
import {
  fieldLabel,
  type FieldEffect,
  hoursPerWeek,
  type CampaignFacts,
  type FactMoney,
  type CampaignFactsChange,
} from '../campaign/index.ts';
import type { Formats } from '../lib/formats.ts';

export const factNames = ['buys', 'budget', 'countries', 'hours', 'host'] as const;

type FactName = (typeof factNames)[number];

export interface FactView {
  fact: FactName | 'lastChange';
  label: string;
  value: string;
  before?: string;
}

interface FactWords {
  label: string;
  select(facts: CampaignFacts): JsonValue;
  words(facts: CampaignFacts, formats: Formats): string;
}

const facts: Readonly<Record<FactName, FactWords>> = {
  buys: { label: 'Bid buys', select: ({ buys, bidMicros }) => [buys, bidMicros], words: buysWords },
  budget: { label: 'Budget', select: ({ daily, total }) => [daily, total], words: budgetWords },
  countries: { label: 'Countries', select: ({ countries }) => countries, words: countriesWords },
  hours: { label: 'Hours', select: ({ hours }) => hours, words: hoursWords },
  host: { label: 'Destination', select: ({ host }) => host, words: hostWords },
};

const mixedText = 'different values';
const unknownText = 'Unknown';

/**
 * Facts that all campaigns share after the write, with the old value if it changes. Empty if the effect on one of
 * several campaigns is unknown.
 */
export function factsInWords(campaigns: readonly CampaignFactsChange[], formats: Formats): FactView[] {
  const isUnknown = campaigns.some(({ after }) => after === null);
  if (campaigns.length === 0 || (campaigns.length > 1 && isUnknown)) return [];
  const before = campaigns.map((campaign) => campaign.before);
  const after = campaigns.map((campaign) => campaign.after ?? campaign.before);
  return factNames.flatMap((fact): FactView[] => {
    const { label, select: of } = facts[fact];
    const isChanged = campaigns.some(
      (campaign) => campaign.after !== null && !jsonEqual(of(campaign.before), of(campaign.after)),
    );
    const value = commonWords(facts[fact], after, formats);
    if (value === null) return [];
    if (!isChanged) return [{ fact, label, value }];
    const old = commonWords(facts[fact], before, formats) ?? mixedText;
    return [{ fact, label, value: value === old ? `${value}, changed` : value, before: old }];
  });
}

export function changedFacts(
  shown: CampaignFacts,
  now: CampaignFacts,
  formats: Formats,
): { fact: FactName; label: string; before: string; after: string }[] {
  return factNames.flatMap((fact) => {
    const { label, select: of, words } = facts[fact];
    if (jsonEqual(of(shown), of(now))) return [];
    const [before, after] = [words(shown, formats), words(now, formats)];
    return [{ fact, label, before, after: after === before ? `${after}, changed` : after }];
  });
}

function commonWords(
  { select: of, words }: FactWords,
  campaigns: readonly CampaignFacts[],
  formats: Formats,
): string | null {
  const [first, ...others] = campaigns;
  if (first === undefined) return null;
  return others.every((other) => jsonEqual(of(other), of(first))) ? words(first, formats) : null;
}

const maxNameLength = 40;
const units = { CPC: 'click', CPV: 'view', CPM: '1,000 impressions' } as const;

/** `$0.045 per click (CPC Push)`. An unknown pricing model is described in the tenant's words. */
function buysWords({ buys, bidMicros }: CampaignFacts, formats: Formats): string {
  const bid = bidMicros === null ? 'Unknown bid' : formats.bid(BigInt(bidMicros));
  if (buys === null) return `${bid}, unknown type`;
  const type = inertStart(buys.type, maxNameLength);
  if (buys.pricing === 'other') return `${bid}, priced “${inertStart(buys.stated, maxNameLength)}” (${type})`;
  return `${bid} per ${units[buys.pricing]} (${type})`;
}

function budgetWords({ daily, total }: CampaignFacts, formats: Formats): string {
  if (daily.kind === 'unlimited' && total.kind === 'unlimited') return 'Unlimited';
  const words = (money: FactMoney): string =>
    money.kind === 'unlimited' ? 'unlimited' : formats.money(BigInt(money.micros));
  const text = `${words(daily)} a day, ${words(total)} in total`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const maxCountries = 6;

function countriesWords({ countries }: CampaignFacts, formats: Formats): string {
  if (countries === null) return unknownText;
  if (countries.kind === 'all') return 'All countries';
  const { entries } = countries;
  const named = entries.slice(0, maxCountries).map((entry) => inertStart(entry, maxNameLength));
  if (entries.length === 0) return 'No country';
  if (entries.length <= maxCountries) return named.join(', ');
  return `${named.join(', ')} and ${formats.count(entries.length - maxCountries)} more`;
}

function hoursWords({ hours }: CampaignFacts, formats: Formats): string {
  if (hours === null) return unknownText;
  if (hours.week === null) return 'Always';
  const zone = hours.zone === null ? 'unknown time zone' : inertStart(hours.zone, maxNameLength);
  return `${formats.count(hours.on)} of ${hoursPerWeek} a week (${zone})`;
}

function hostWords({ host }: CampaignFacts): string {
  if (host === null) return unknownText;
  return host.kind === 'none' ? 'None' : inertText(host.host);
}

export interface LastChange {
  effects: readonly FieldEffect[];
  /** Used if the effects are not known. Untrusted names in it are quoted. */
  title: string;
  by: { kind: 'person' | 'agent' | 'schedule'; name: string };
  /** The day on which it was sent, YYYY-MM-DD. */
  date: string;
  doubt: 'unknown' | 'differs' | null;
}

/** `Bid raised by you on 20 Nov`. Null means that this app has not changed the campaign. */
export function lastChangeInWords(
  change: LastChange | null,
  { currentYear }: { currentYear: number },
): FactView {
  const row = { fact: 'lastChange', label: 'Last change' } as const;
  if (change === null) return { ...row, value: 'None through this app' };
  const { by, date, doubt } = change;
  const author =
    by.kind === 'person' ? 'you' : by.kind === 'agent' ? quoted(by.name) : `schedule ${quoted(by.name)}`;
  const day = dateText(date, currentYear);
  return {
    ...row,
    value: `${actionOf(change)} by ${author} on ${day}${doubt === null ? '' : doubts[doubt]}`,
  };
}

const doubts = { unknown: ', outcome unknown', differs: ', other values stored' } as const;

const pastStatusVerbs: Readonly<Record<StatusCode, string>> = {
  0: 'Set to pending',
  1: 'Activated',
  2: 'Suspended',
  3: 'Paused',
  4: 'Scheduled',
};

/** The status comes first, because it decides whether the campaign spends. */
function actionOf({ effects, title }: LastChange): string {
  const [first, ...others] = effects.toSorted(
    (one, other) => Number(isStatus(other)) - Number(isStatus(one)),
  );
  if (first === undefined) return title;
  const isOnly = others.length === 0;
  const more = others.length === 1 ? 'one more field' : `${others.length} more fields`;
  const status = first.after;
  if (isStatus(first) && isStatusCode(status))
    return isOnly ? pastStatusVerbs[status] : `${pastStatusVerbs[status]}, and ${more} changed,`;
  return isOnly
    ? `${fieldLabel(first.field)} ${verbOf(first)}`
    : `${fieldLabel(first.field)} and ${more} changed`;
}

function isStatus({ field }: FieldEffect): boolean {
  return field === 'status';
}

function verbOf({ measure }: FieldEffect): string {
  if (measure.kind !== 'money' && measure.kind !== 'count') return 'changed';
  if (measure.ratio === null) return 'changed';
  return measure.ratio.isRaise ? 'raised' : 'lowered';
}
