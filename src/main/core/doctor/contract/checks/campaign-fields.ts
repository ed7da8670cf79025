import { imageSchema } from '#shared/contract/index.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import type { Sample } from '../account.ts';

/** One field of the complete campaign, as a read gives it (contract §2.4). */
interface CampaignField {
  name: string;
  /** The expected value in words; null if the contract only requires the field. */
  expected: string | null;
  is(value: JsonValue): boolean;
  applies(kind: Sample['kind']): boolean;
}

type Test = Pick<CampaignField, 'expected' | 'is'>;

const integer: Test = { expected: 'an integer', is: (value) => Number.isSafeInteger(value) };
const number: Test = { expected: 'a number', is: (value) => typeof value === 'number' };
const text: Test = { expected: 'a text', is: (value) => typeof value === 'string' };
const flag: Test = { expected: '0 or 1', is: (value) => value === 0 || value === 1 };
const list: Test = { expected: 'a list', is: Array.isArray };
const image: Test = {
  expected: 'an image object with a url',
  is: (value) => imageSchema.safeParse(value).success,
};
const anything: Test = { expected: null, is: () => true };
const status: Test = {
  expected: 'an integer from 0 to 4',
  is: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 4,
};
const name: Test = {
  expected: 'a text of at most 255 characters',
  is: (value) => typeof value === 'string' && [...value].length <= 255,
};

const always = () => true;
const creative: CampaignField['applies'] = ({ contextual, push }) => contextual || push;
const push: CampaignField['applies'] = (kind) => kind.push;
const clicks: CampaignField['applies'] = ({ pricing }) => pricing === 'CPC' || pricing === 'CPV';
const impressions: CampaignField['applies'] = ({ pricing }) => pricing === 'CPM';

const rows: readonly [string, Test, CampaignField['applies']][] = [
  ['cid', integer, always],
  ['uid', integer, always],
  ['name', name, always],
  ['type', integer, always],
  ['status', status, always],
  ['payout', number, always],
  ['clickurl', text, clicks],
  ['website', text, impressions],
  ['title', text, creative],
  ['description', text, creative],
  ['icon', image, push],
  ['image', image, push],
  ['enable_budget', flag, always],
  ['d_revenue', number, always],
  ['t_revenue', number, always],
  ['enable_time', anything, always],
  ['create', anything, always],
  ['create_time', anything, always],
  ['expire', anything, always],
  ['expire_time', anything, always],
  ['enable_shedule', anything, always],
  ['shedule', anything, always],
  ['shedule_timezone', anything, always],
  ['freq_cap', anything, always],
  ['freq_counter', anything, always],
  ['traffic_speed', anything, always],
  ['traffic_speed_counter', anything, always],
  ['keywords_enabled', anything, always],
  ['keywords_whitelist', text, always],
  ['keywords_blocklist', text, always],
  ['bidControl', list, always],
];

/** Every field of §2.4 but the targeting selectors, in the contract's order. */
export const campaignFields: readonly CampaignField[] = rows.map(([field, test, applies]) => ({
  name: field,
  ...test,
  applies,
}));

/** Counts the hourly values of a weekly schedule, whatever its shape: its letters, or the entries of its lists. */
export function hourlyValues(schedule: JsonValue): number {
  if (typeof schedule === 'string') return schedule.length;
  if (typeof schedule !== 'object' || schedule === null) return 0;
  return Object.values(schedule).reduce<number>((sum, inner) => sum + valuesIn(inner), 0);
}

function valuesIn(value: JsonValue): number {
  return typeof value === 'object' && value !== null ? hourlyValues(value) : 1;
}
