/** The lists of the targeting selectors, in the order of the contract's table (§2.4); each has a flag, `<list>_enabled`. */
export const targetingLists = [
  'geo',
  'os',
  'os_versions',
  'browsers',
  'browser_versions',
  'devices',
  'categories',
  'lang',
  'connection',
  'traffic_type',
  'exchanges',
] as const;
