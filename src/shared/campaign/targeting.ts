/** One targeting selector: a flag (1 = all values, 0 = only those listed) and its list (contract §2.4). */
export interface TargetingDimension {
  flag: string;
  list: string;
  /** For the words: `1 country`, `3 countries`, `All countries`. */
  one: string;
  many: string;
  /** Where it counts: everywhere, for CPM types only, or for CPM types other than Popunder. */
  applies: 'always' | 'cpm' | 'cpm-not-popunder';
}

/** Every targeting selector, in the order of the contract's table (§2.4). */
export const targetingDimensions: readonly TargetingDimension[] = [
  { flag: 'geo_enabled', list: 'geo', one: 'country', many: 'countries', applies: 'always' },
  { flag: 'os_enabled', list: 'os', one: 'operating system', many: 'operating systems', applies: 'always' },
  {
    flag: 'os_versions_enabled',
    list: 'os_versions',
    one: 'OS version',
    many: 'OS versions',
    applies: 'always',
  },
  { flag: 'browsers_enabled', list: 'browsers', one: 'browser', many: 'browsers', applies: 'always' },
  {
    flag: 'browser_versions_enabled',
    list: 'browser_versions',
    one: 'browser version',
    many: 'browser versions',
    applies: 'always',
  },
  { flag: 'devices_enabled', list: 'devices', one: 'device type', many: 'device types', applies: 'always' },
  { flag: 'categories_enabled', list: 'categories', one: 'category', many: 'categories', applies: 'cpm' },
  { flag: 'lang_enabled', list: 'lang', one: 'language', many: 'languages', applies: 'cpm' },
  {
    flag: 'connection_enabled',
    list: 'connection',
    one: 'connection type',
    many: 'connection types',
    applies: 'cpm-not-popunder',
  },
  {
    flag: 'traffic_type_enabled',
    list: 'traffic_type',
    one: 'traffic type',
    many: 'traffic types',
    applies: 'cpm-not-popunder',
  },
  { flag: 'exchanges_enabled', list: 'exchanges', one: 'exchange', many: 'exchanges', applies: 'cpm' },
];

/** The selector whose flag this field is, or undefined. */
export function dimensionOfFlag(field: string): TargetingDimension | undefined {
  return targetingDimensions.find((dimension) => dimension.flag === field);
}

/** The selector whose list this field is, or undefined. */
export function dimensionOfList(field: string): TargetingDimension | undefined {
  return targetingDimensions.find((dimension) => dimension.list === field);
}
