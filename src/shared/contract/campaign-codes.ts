// Apart from the schemas: the pages use these names and carry no schemas.

/** Campaign status codes and names (contract §3). */
export const statusNames = {
  0: 'Pending',
  1: 'Active',
  2: 'Suspended',
  3: 'Paused',
  4: 'Scheduled',
} as const;

/** A campaign status code, 0..4 (contract §3). */
export type StatusCode = keyof typeof statusNames;

/** Every status code, in order. */
export const statusCodes = [0, 1, 2, 3, 4] as const satisfies readonly StatusCode[];

/** True for an integer 0..4. */
export function isStatusCode(value: unknown): value is StatusCode {
  return typeof value === 'number' && Object.hasOwn(statusNames, value) && Number.isInteger(value);
}

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
