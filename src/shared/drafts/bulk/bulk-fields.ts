import { campaignFields } from '../../campaign/index.ts';
import type { JsonObject } from '../../lib/json/json-value.ts';
import { filterFields } from '../lists.ts';

// Separate from the schemas, because the pages use these names and must not bundle the schema library.

export const amountFields = [
  'payout',
  'd_revenue',
  't_revenue',
  'freq_counter',
  'traffic_speed_counter',
] as const;

export type AmountField = (typeof amountFields)[number];

export function isCountField(field: AmountField): boolean {
  return field === 'freq_counter' || field === 'traffic_speed_counter';
}

export function switchOf(field: string): string | undefined {
  return switchFields[field];
}

const switchFields: Readonly<Record<string, string>> = {
  d_revenue: 'enable_budget',
  t_revenue: 'enable_budget',
  create: 'enable_time',
  create_time: 'enable_time',
  expire: 'enable_time',
  expire_time: 'enable_time',
  shedule: 'enable_shedule',
  shedule_timezone: 'enable_shedule',
  freq_counter: 'freq_cap',
  traffic_speed_counter: 'traffic_speed',
  keywords_whitelist: 'keywords_enabled',
  keywords_blocklist: 'keywords_enabled',
};

export type SetKind = 'text' | 'time' | 'zone' | 'switch' | 'type';

export const setKinds = {
  name: 'text',
  title: 'text',
  description: 'text',
  clickurl: 'text',
  website: 'text',
  type: 'type',
  enable_budget: 'switch',
  enable_time: 'switch',
  create_time: 'time',
  expire_time: 'time',
  enable_shedule: 'switch',
  shedule_timezone: 'zone',
  freq_cap: 'switch',
  traffic_speed: 'switch',
  keywords_enabled: 'switch',
} as const satisfies Readonly<Record<string, SetKind>>;

export type SetField = keyof typeof setKinds;

export const setFields = Object.keys(setKinds) as [SetField, ...SetField[]];

export const textFields = ['name', 'clickurl', 'website'] as const;

/** Parts of a campaign that can be pasted into others. Name, status, account and id are never pasted. */
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
  bidControls: 'Bid controls of the same sources',
};

const sectionFields: Readonly<Record<PasteSectionId, readonly string[]>> = {
  targeting: campaignFields.targeting,
  filters: campaignFields.keywords,
  schedule: campaignFields.schedule,
  flight: campaignFields.flight,
  budgets: campaignFields.budget,
  bid: ['payout'],
  destination: ['clickurl', 'website'],
  creative: campaignFields.creative,
  delivery: campaignFields.pacing,
  // Only bids of equal sources are pasted, never the service's own objects.
  bidControls: [],
};

export function fieldsToPaste(source: JsonObject, sections: readonly PasteSectionId[]): string[] {
  const filters = sections.includes('filters') ? filterFields(source) : [];
  return [...sections.flatMap((section) => sectionFields[section]), ...filters].filter((field) =>
    Object.hasOwn(source, field),
  );
}
