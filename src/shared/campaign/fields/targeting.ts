import { targetingLists } from '../../contract/index.ts';

/** One targeting selector: a flag (1 = all values, 0 = only those listed) and its list (contract §2.4). */
export interface TargetingDimension {
  flag: string;
  list: string;
  /** For the words: `1 country`, `3 countries`, `All countries`. */
  one: string;
  many: string;
  /** Types to which it applies: all, CPM types only, or CPM types other than Popunder. */
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

/** Every targeting selector, in the order of the contract's table (§2.4). */
export const targetingDimensions: readonly TargetingDimension[] = targetingLists.map((list) => {
  const [one, many, applies] = selectors[list];
  return { flag: `${list}_enabled`, list, one, many, applies };
});

/** The selector whose flag this field is, or undefined. */
export function dimensionOfFlag(field: string): TargetingDimension | undefined {
  return targetingDimensions.find((dimension) => dimension.flag === field);
}

/** The selector whose list this field is, or undefined. */
export function dimensionOfList(field: string): TargetingDimension | undefined {
  return targetingDimensions.find((dimension) => dimension.list === field);
}
