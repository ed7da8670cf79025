// Separate from the schemas, because the pages use these names and must not bundle the schema library.

/** Campaign status codes and names (contract §3). */
export const statusNames = {
  0: 'Pending',
  1: 'Active',
  2: 'Suspended',
  3: 'Paused',
  4: 'Scheduled',
} as const;

export type StatusCode = keyof typeof statusNames;

export const statusCodes = [0, 1, 2, 3, 4] as const satisfies readonly StatusCode[];

export function isStatusCode(value: unknown): value is StatusCode {
  return typeof value === 'number' && Object.hasOwn(statusNames, value) && Number.isInteger(value);
}

/** The lists of the targeting selectors, in the order of the contract's table (§2.4). The flag of each is `<list>_enabled`. */
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

/** The columns that the campaign table can be sorted by (contract §4.1, "a field used by the campaign table"). */
export const sortColumns = [
  'cid',
  'uid',
  'type_name',
  'name',
  'website',
  'geo',
  'payout',
  'd_revenue',
  't_revenue',
  'daily_budget',
  'total_budget',
  'bid_control_count',
  'status',
  'status_name',
] as const;

export type SortColumn = (typeof sortColumns)[number];

/** Limits of the list (contract §8). */
export const listLimits = { firstPage: 1, minPerPage: 1, maxPerPage: 200, defaultPerPage: 20 } as const;

/** The minimum balance for an activation, in integer micros: $1.00 (contract §3, §8). */
export const leastActivationMicros = 1_000_000;

/** Groupings of the XML statistics (contract §4.2). `day` is the default. */
export const xmlGroupings = ['day', 'geo', 'subid'] as const;

export type XmlGrouping = (typeof xmlGroupings)[number];

export const exportFormats = ['json', 'csv'] as const;

export type ExportFormat = (typeof exportFormats)[number];

export const taskWeekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

export type TaskWeekday = (typeof taskWeekdays)[number];

export const maxReportDays = 90;
