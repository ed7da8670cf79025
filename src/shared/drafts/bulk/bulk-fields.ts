import { contractFields, isListName, targetingDimensions } from '../../campaign/index.ts';
import type { JsonObject } from '../../lib/json/json-value.ts';
import { membersOf } from '../lists.ts';

// Apart from the schemas: the pages use these names and carry no schemas.

/** Number fields that are calculated in many campaigns at once. */
export const amountFields = ['payout', 'd_revenue', 't_revenue'] as const;

/** Text fields that are searched in many campaigns at once. */
export const textFields = ['name', 'clickurl', 'website'] as const;

/** Parts of a campaign that are pasted into others. Name, status, account and id are never pasted. */
export const pasteSectionIds = [
  'targeting',
  'filters',
  'schedule',
  'flight',
  'budgets',
  'bid',
  'destination',
  'creative',
  'delivery',
  'bidControls',
] as const;

export type PasteSectionId = (typeof pasteSectionIds)[number];

export const pasteSectionTitles: Readonly<Record<PasteSectionId, string>> = {
  targeting: 'Targeting',
  filters: 'Keywords and filters',
  schedule: 'Weekly schedule',
  flight: 'Flight',
  budgets: 'Budgets',
  bid: 'Bid',
  destination: 'Click URL and website',
  creative: 'Creative',
  delivery: 'Frequency cap and pacing',
  bidControls: 'Bid controls',
};

const fields: Readonly<Record<PasteSectionId, readonly string[]>> = {
  targeting: targetingDimensions.flatMap(({ flag, list }) => [flag, list]),
  filters: ['keywords_enabled', 'keywords_whitelist', 'keywords_blocklist'],
  schedule: ['enable_shedule', 'shedule', 'shedule_timezone'],
  flight: ['enable_time', 'create', 'create_time', 'expire', 'expire_time'],
  budgets: ['enable_budget', 'd_revenue', 't_revenue'],
  bid: ['payout'],
  destination: ['clickurl', 'website'],
  creative: ['title', 'description', 'icon', 'image'],
  delivery: ['freq_cap', 'freq_counter', 'traffic_speed', 'traffic_speed_counter'],
  bidControls: ['bidControl'],
};

/** The fields of chosen sections that the source campaign has, traffic filters of its service among them. */
export function pastedFields(source: JsonObject, sections: readonly PasteSectionId[]): string[] {
  const filters = sections.includes('filters') ? filterFields(source) : [];
  return [...sections.flatMap((section) => fields[section]), ...filters].filter((field) =>
    Object.hasOwn(source, field),
  );
}

/** Traffic filters: lists that the contract does not name (§2.4). */
export function filterFields(campaign: JsonObject): string[] {
  return Object.entries(campaign).flatMap(([field, value]) =>
    !contractFields.includes(field) && isListName(field) && membersOf(value) !== null ? [field] : [],
  );
}
