import type { Formats } from '../../lib/formats.ts';
import { targetingLists } from '../../contract/index.ts';

/** One targeting selector: a flag (1 = all values, 0 = only those listed) and its list (contract §2.4). */
export interface TargetingDimension {
  flag: string;
  list: string;
  one: string;
  many: string;
  applies: 'always' | 'cpm' | 'cpm-not-popunder';
}

const always = 'always';
const cpm = 'cpm';
const cpmNotPopunder = 'cpm-not-popunder';

const selectors: Readonly<
  Record<(typeof targetingLists)[number], readonly [one: string, many: string, TargetingDimension['applies']]>
> = {
  geo: ['country', 'countries', always],
  os: ['operating system', 'operating systems', always],
  os_versions: ['OS version', 'OS versions', always],
  browsers: ['browser', 'browsers', always],
  browser_versions: ['browser version', 'browser versions', always],
  devices: ['device type', 'device types', always],
  categories: ['category', 'categories', cpm],
  lang: ['language', 'languages', cpm],
  connection: ['connection type', 'connection types', cpmNotPopunder],
  traffic_type: ['traffic type', 'traffic types', cpmNotPopunder],
  exchanges: ['exchange', 'exchanges', cpm],
};

export const targetingDimensions: readonly TargetingDimension[] = targetingLists.map((list) => {
  const [one, many, applies] = selectors[list];
  return { flag: `${list}_enabled`, list, one, many, applies };
});

export function dimensionOfFlag(field: string): TargetingDimension | undefined {
  return targetingDimensions.find((dimension) => dimension.flag === field);
}

export function dimensionOfList(field: string): TargetingDimension | undefined {
  return targetingDimensions.find((dimension) => dimension.list === field);
}

export interface TrafficFilter {
  does: 'allows' | 'blocks';
  one: string;
  many: string;
}

/** The filters that the contract describes without naming their fields (§2.4), by the names that services use. */
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

export function filterOf(field: string): TrafficFilter | undefined {
  return filters.get(field);
}

export const filterLabels: ReadonlyMap<string, string> = new Map(
  [...filters].map(([field, { does, many }]) => [
    field,
    `${does === 'blocks' ? 'Blocked' : 'Allowed'} ${many}`,
  ]),
);

export function entryNouns(field: string): { one: string; many: string } | null {
  return filterOf(field) ?? dimensionOfList(field) ?? null;
}

export function listSize(field: string, count: number, formats: Formats): string {
  const { one, many } = entryNouns(field) ?? { one: 'entry', many: 'entries' };
  return count === 0 ? 'None' : formats.counted(count, one, many);
}

/** Form of a list's entries. Ids and codes contain no space; names may. */
export type EntryForm = 'countries' | 'ids' | 'codes' | 'names';

interface ListKind {
  entries: EntryForm;
  foldsCase: boolean;
}

interface ListKindRow extends ListKind {
  list: RegExp;
}

/** The first row that matches a field's name applies. Case is folded only for codes and domains, never for bundles and ids. */
const rows: readonly ListKindRow[] = [
  { list: /^geo$/u, entries: 'countries', foldsCase: true },
  { list: /^exchanges$/u, entries: 'ids', foldsCase: true },
  { list: new RegExp(`^(?:${targetingLists.join('|')})$`, 'u'), entries: 'names', foldsCase: true },
  { list: /keyword/iu, entries: 'names', foldsCase: true },
  { list: /carrier|(?:^|_)isps?(?:_|$)|city|cities|region/iu, entries: 'names', foldsCase: true },
  { list: /bundle|app|publisher|source|sub_?id|zone|feed|ssp/iu, entries: 'codes', foldsCase: false },
  { list: /(?:^|_)ips?(?:_|$)|domain|country|countries|lang/iu, entries: 'codes', foldsCase: true },
];

const otherLists: ListKind = { entries: 'codes', foldsCase: false };

export function listKindOf(list: string): ListKind {
  return rows.find((row) => row.list.test(list)) ?? otherLists;
}

export function entryKeyOf(list: string): (entry: string | number) => string {
  const { foldsCase } = listKindOf(list);
  return (entry) => (foldsCase ? String(entry).trim().toLowerCase() : String(entry).trim());
}
