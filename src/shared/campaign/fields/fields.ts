import type { CampaignContext, CampaignType } from '../../contract/index.ts';
import { toMicros } from '../../lib/decimal.ts';
import { quotedStart } from '../../lib/inert-text.ts';
import { type JsonObject, type JsonValue, own } from '../../lib/json/json-value.ts';
import { filterLabels } from './targeting.ts';
import { targetingDimensions } from './targeting.ts';
import type { Formats } from '../../lib/formats.ts';
import { type OwnWords, ownWords } from '../../lib/sentence.ts';
import type { CampaignKind } from '../types.ts';

const labels: ReadonlyMap<string, string> = new Map([
  ['cid', 'Campaign id'],
  ['uid', 'Account'],
  ['name', 'Name'],
  ['type', 'Type'],
  ['status', 'Status'],
  ['payout', 'Bid'],
  ['clickurl', 'Click URL'],
  ['website', 'Website'],
  ['title', 'Title'],
  ['description', 'Description'],
  ['icon', 'Icon'],
  ['image', 'Main image'],
  ['enable_budget', 'Budget limits'],
  ['d_revenue', 'Daily budget'],
  ['t_revenue', 'Total budget'],
  ['enable_time', 'Flight'],
  ['create', 'Start date'],
  ['create_time', 'Start time'],
  ['expire', 'End date'],
  ['expire_time', 'End time'],
  ['enable_shedule', 'Weekly schedule'],
  ['shedule', 'Scheduled hours'],
  ['shedule_timezone', 'Schedule time zone'],
  ['freq_cap', 'Frequency cap'],
  ['freq_counter', 'Frequency count'],
  ['traffic_speed', 'Pacing'],
  ['traffic_speed_counter', 'Pacing count'],
  ['geo_enabled', 'Country targeting'],
  ['geo', 'Countries'],
  ['os_enabled', 'Operating system targeting'],
  ['os', 'Operating systems'],
  ['os_versions_enabled', 'OS version targeting'],
  ['os_versions', 'OS versions'],
  ['browsers_enabled', 'Browser targeting'],
  ['browsers', 'Browsers'],
  ['browser_versions_enabled', 'Browser version targeting'],
  ['browser_versions', 'Browser versions'],
  ['devices_enabled', 'Device targeting'],
  ['devices', 'Device types'],
  ['categories_enabled', 'Category targeting'],
  ['categories', 'Categories'],
  ['lang_enabled', 'Language targeting'],
  ['lang', 'Languages'],
  ['connection_enabled', 'Connection targeting'],
  ['connection', 'Connection types'],
  ['traffic_type_enabled', 'Traffic type targeting'],
  ['traffic_type', 'Traffic types'],
  ['exchanges_enabled', 'Exchange targeting'],
  ['exchanges', 'Exchanges'],
  ['keywords_enabled', 'Keywords'],
  ['keywords_whitelist', 'Allowed keywords'],
  ['keywords_blocklist', 'Blocked keywords'],
  ['bidControl', 'Bid controls'],
]);

const ownLabels = new Set([...labels.values(), ...filterLabels.values()]);

const maxNameLength = 300;

/**
 * The field's display name. Unknown names are quoted: `“Internal note”`, or the raw `“daily_budget”` if they resemble a
 * name of ours.
 */
export function fieldLabel(field: string): string {
  const words = fieldWords(field);
  return typeof words === 'string' ? quotedStart(words, maxNameLength) : words.ownWords;
}

/** The field's display name as a part of a sentence, which limits the length of quotations. */
export function fieldWords(field: string): OwnWords | string {
  const known = labels.get(field) ?? filterLabels.get(field);
  if (known !== undefined) return ownWords(known);
  if (!/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(field)) return field;
  const readable = field.charAt(0).toUpperCase() + field.slice(1).replaceAll('_', ' ');
  return ownLabels.has(readable) ? field : readable;
}

export const contractFields: readonly string[] = [...labels.keys()];

/** True for a name under which a text is a list of entries. The service chooses the names of filters (contract §2.4). */
export function isListName(name: string): boolean {
  return /block|black|white|allow|deny|exclu|includ|ignore|list|filter|keyword/i.test(name);
}

/** True for a list of plain entries: texts, and, if the field's name says that it is a list, also numbers or a single text. */
export function isEntryList(field: string, value: JsonValue | undefined): boolean {
  const isNamed = isListName(field);
  if (!Array.isArray(value)) return isNamed && typeof value === 'string';
  return value.every((entry) => typeof entry === 'string' || (isNamed && typeof entry === 'number'));
}

export const campaignFields = {
  creative: ['title', 'description', 'icon', 'image'],
  budget: ['enable_budget', 'd_revenue', 't_revenue'],
  flight: ['enable_time', 'create', 'create_time', 'expire', 'expire_time'],
  schedule: ['enable_shedule', 'shedule', 'shedule_timezone'],
  pacing: ['freq_cap', 'freq_counter', 'traffic_speed', 'traffic_speed_counter'],
  targeting: targetingDimensions.flatMap(({ flag, list }) => [flag, list]),
  keywords: ['keywords_enabled', 'keywords_whitelist', 'keywords_blocklist'],
} as const satisfies Record<string, readonly string[]>;

export interface FieldGroup {
  title: string;
  fields: readonly string[];
}

export const fieldGroups: readonly FieldGroup[] = [
  {
    title: 'Identity and pricing',
    fields: ['cid', 'uid', 'name', 'type', 'status', 'payout', 'clickurl', 'website'],
  },
  { title: 'Creative', fields: campaignFields.creative },
  { title: 'Budget and flight', fields: [...campaignFields.budget, ...campaignFields.flight] },
  { title: 'Delivery', fields: [...campaignFields.schedule, ...campaignFields.pacing] },
  { title: 'Targeting', fields: campaignFields.targeting },
  { title: 'Keywords and filters', fields: campaignFields.keywords },
  { title: 'Bid controls', fields: ['bidControl'] },
];

/** Limits of the contract that are equal for every tenant (§8). Lengths are in Unicode code points. */
export const limits = {
  nameLength: 255,
  titleLength: 25,
  descriptionLength: 75,
  pacingCounter: 1000,
} as const;

export interface FieldLimit {
  text: string;
  min?: number;
  max?: number;
  maxLength?: number;
}

export function typeOf(
  campaign: JsonObject,
  context: Pick<CampaignContext, 'types'>,
): CampaignType | undefined {
  const code = own(campaign, 'type');
  return typeof code === 'number' ? typeWithCode(context.types, code) : undefined;
}

export function typeWithCode<Type>(types: Readonly<Record<string, Type>>, code: number): Type | undefined {
  const key = String(code);
  return Object.hasOwn(types, key) ? types[key] : undefined;
}

export function fieldLimits(
  campaign: JsonObject,
  context: CampaignContext,
  formats: Formats,
): Record<string, FieldLimit> {
  const least = context.settings.min_budget;
  const leastText = `at least ${formats.money(toMicros(least))}`;
  return {
    name: length(limits.nameLength),
    ...bidLimit(typeOf(campaign, context), formats),
    ...creativeLimits(campaign, context),
    d_revenue: { text: leastText, min: least },
    t_revenue: { text: `${leastText}; 0 = unlimited`, min: 0 },
    freq_counter: { text: 'a whole number, at least 1', min: 1 },
    traffic_speed_counter: { text: 'a whole number, at least 1,000', min: limits.pacingCounter },
  };
}

function bidLimit(type: CampaignType | undefined, formats: Formats): Record<string, FieldLimit> {
  if (type === undefined) return {};
  const { minBid: min, maxBid: max } = type;
  const limit = { text: `${formats.bid(toMicros(min))} – ${formats.bid(toMicros(max))}`, min, max };
  return { payout: limit, bidControl: limit };
}

function creativeLimits(campaign: JsonObject, context: CampaignContext): Record<string, FieldLimit> {
  const kind = kindOf(typeOf(campaign, context));
  if (!kind.contextual && !kind.push) return {};
  return { title: length(limits.titleLength), description: length(limits.descriptionLength) };
}

function length(maxLength: number): FieldLimit {
  return { text: `at most ${maxLength} characters`, maxLength };
}

const pricings = ['CPC', 'CPV', 'CPM'] as const;

/** Derives the rules from a type's `pricing` and the words in its name, never from its code (contract §2.3, §2.4). */
export function kindOf(type: CampaignType | undefined): CampaignKind {
  const words = wordsOf(type?.name ?? '');
  const stated = wordsOf(type?.pricing ?? '');
  const pricing = pricings.find((known) => stated.has(known)) ?? 'other';
  const contextual = words.has('CONTEXTUAL');
  const push = words.has('PUSH');
  const popunder = words.has('POPUNDER');
  const recognised = contextual || push || popunder || pricing !== 'other';
  return { pricing, contextual, push, popunder, recognised };
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toUpperCase().split(/[^\p{L}\p{N}]+/u));
}

/**
 * True for statuses with which a campaign may spend: Active, and Scheduled, which spends by its start and schedule
 * (contract §3).
 */
export function runs(status: JsonValue | undefined): boolean {
  return status === 1 || status === 4;
}
