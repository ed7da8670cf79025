import type { Formats } from '../../lib/formats.ts';
import { dimensionOfList } from './targeting.ts';

/** A list of the service's traffic filters: what it does to its entries, and their name for people. */
export interface TrafficFilter {
  does: 'allows' | 'blocks';
  one: string;
  many: string;
}

/** The filters that the contract describes without their fields (§2.4), by the names that services give them. */
const subjects: Readonly<Record<string, readonly [one: string, many: string]>> = {
  ip: ['IP address', 'IP addresses'],
  domain: ['domain', 'domains'],
  publisher: ['publisher', 'publishers'],
  site_app: ['site or app', 'sites and apps'],
  ssp: ['SSP', 'SSPs'],
  bundle: ['bundle', 'bundles'],
  carrier: ['carrier', 'carriers'],
};

const keyword = { one: 'keyword', many: 'keywords' };

const filters: ReadonlyMap<string, TrafficFilter> = new Map([
  ...Object.entries(subjects).flatMap(([subject, [one, many]]): [string, TrafficFilter][] => [
    [`${subject}_allowlist`, { does: 'allows', one, many }],
    [`${subject}_blocklist`, { does: 'blocks', one, many }],
  ]),
  ['keywords_whitelist', { does: 'allows', ...keyword }],
  ['keywords_blocklist', { does: 'blocks', ...keyword }],
]);

/** The filter whose list this field is, or undefined. */
export function filterOf(field: string): TrafficFilter | undefined {
  return filters.get(field);
}

/** The label of a filter by its field: `Blocked publishers`. */
export const filterLabels: ReadonlyMap<string, string> = new Map(
  [...filters].map(([field, { does, many }]) => [
    field,
    `${does === 'blocks' ? 'Blocked' : 'Allowed'} ${many}`,
  ]),
);

/** The name of one entry of a list, and of several; null for a list of an unknown meaning. */
export function entryNouns(field: string): { one: string; many: string } | null {
  return filterOf(field) ?? dimensionOfList(field) ?? null;
}

/** The size of a list in words: `3 countries`, `16 publishers`, `None`. */
export function listSize(field: string, count: number, formats: Formats): string {
  const { one, many } = entryNouns(field) ?? { one: 'entry', many: 'entries' };
  return count === 0 ? 'None' : formats.counted(count, one, many);
}
