import { targetingDimensions } from '#shared/campaign/index.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { ownWords } from '#shared/lib/sentence.ts';
import { absentId, type CheckContext, checksThatNeed, drift, notChecked, type Sample } from '../check.ts';
import { expectStatus, shown } from '../expect.ts';
import { imageSchema } from '#shared/contract/index.ts';

interface CampaignField {
  name: string;
  /** Null if the contract requires only that the field exists. */
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

/** Every field of §2.4 except the targeting selectors, in the contract's order. */
const campaignFields: readonly CampaignField[] = rows.map(([field, test, applies]) => ({
  name: field,
  ...test,
  applies,
}));

/** The number of values in a schedule of any shape: letters of a text, or entries of lists. */
function hourlyValues(schedule: JsonValue): number {
  if (typeof schedule === 'string') return schedule.length;
  if (typeof schedule !== 'object' || schedule === null) return 0;
  return Object.values(schedule).reduce<number>((sum, inner) => sum + valuesIn(inner), 0);
}

function valuesIn(value: JsonValue): number {
  return typeof value === 'object' && value !== null ? hourlyValues(value) : 1;
}

const shared = ['cid', 'uid', 'name', 'status', 'payout', 'd_revenue', 't_revenue'] as const;

async function forEverySample({ account }: CheckContext, look: (sample: Sample) => void): Promise<void> {
  for (const sample of await account.samples()) look(sample);
}

function isSelectorOf({ pricing, popunder }: Sample['kind'], applies: string): boolean {
  if (applies === 'always') return true;
  return pricing === 'CPM' && (applies === 'cpm' || !popunder);
}

function expectFields({ campaign, kind, row: { cid } }: Sample): void {
  for (const { name, expected, is, applies } of campaignFields) {
    if (!applies(kind)) continue;
    if (!Object.hasOwn(campaign, name))
      throw drift`Expected ${ownWords(name)} in campaign ${cid}; came nothing.`;
    if (!is(valueOf(campaign, name))) {
      throw drift`Expected ${ownWords(expected ?? 'a value')} as ${ownWords(name)} of campaign ${cid}; came ${shown(campaign[name])}.`;
    }
  }
}

function expectSelectors({ campaign, kind, row: { cid } }: Sample): void {
  for (const { flag, list, applies } of targetingDimensions) {
    if (!isSelectorOf(kind, applies)) continue;
    const state = valueOf(campaign, flag);
    const values = valueOf(campaign, list);
    if (state !== 0 && state !== 1)
      throw drift`Expected 0 or 1 as ${ownWords(flag)} of campaign ${cid}; came ${shown(campaign[flag])}.`;
    if (!Array.isArray(values))
      throw drift`Expected a list as ${ownWords(list)} of campaign ${cid}; came ${shown(campaign[list])}.`;
    if (state === 1 && values.length > 0)
      throw drift`Expected [] as ${ownWords(list)} of campaign ${cid}: its flag says all; came ${shown(values)}.`;
    if (state === 0 && values.length === 0)
      throw drift`Expected a value in ${ownWords(list)} of campaign ${cid}: its flag says custom; came [].`;
  }
}

function expectSchedule({ campaign, row: { cid } }: Sample): void {
  const schedule = valueOf(campaign, 'shedule');
  const count = hourlyValues(schedule);
  const isOn = campaign['enable_shedule'] === 1;
  if (!isOn && count === 0) return;
  if (count !== 168)
    throw drift`Expected 168 hourly values in the schedule of campaign ${cid}; came ${count}.`;
}

function valueOf(campaign: JsonObject, name: string): JsonValue {
  return Object.hasOwn(campaign, name) ? (campaign[name] ?? null) : null;
}

/** GET /login/campaigns/{cid} (contract §2.3, §2.4), for one campaign of each type. */
export const campaignChecks = checksThatNeed(['member'], {
  'campaign.shape': {
    clause: '§2.1, §2.3',
    title: 'A campaign comes with its types and settings',
    run: async ({ account }) => void (await account.readSamples()),
  },
  'campaign.types': {
    clause: '§2.3',
    title: 'The types are keyed by their codes, and their bids have bounds',
    run: (context) =>
      forEverySample(context, ({ edit: { campaign_types: types } }) => {
        const entries = Object.entries(types);
        if (entries.length === 0) throw drift`Expected the enabled types; came none.`;
        for (const [code, { minBid, maxBid }] of entries) {
          if (!/^\d+$/.test(code))
            throw drift`Expected a type code as a key of campaign_types; came ${shown(code)}.`;
          if (minBid > maxBid)
            throw drift`Expected minBid up to maxBid for type ${Number(code)}; came ${minBid} and ${maxBid}.`;
        }
      }),
  },
  'campaign.type': {
    clause: '§2.3, §2.4',
    title: 'The type of a campaign is one of its campaign_types',
    run: (context) =>
      forEverySample(context, ({ campaign, edit: { campaign_types: types }, row: { cid } }) => {
        const type = valueOf(campaign, 'type');
        // The check `campaign.fields` reports a value of another JSON type.
        if (typeof type !== 'number' || Object.hasOwn(types, String(type))) return;
        throw drift`Expected the type of campaign ${cid} among campaign_types, ${shown(Object.keys(types))}; came ${shown(type)}.`;
      }),
  },
  'campaign.fields': {
    clause: '§2.4',
    title: 'A campaign has every field that applies to its type',
    run: (context) => forEverySample(context, (sample) => expectFields(sample)),
  },
  'campaign.selectors': {
    clause: '§2.4',
    title: 'A targeting flag of 1 has an empty list, and one of 0 at least one value',
    run: (context) => forEverySample(context, (sample) => expectSelectors(sample)),
  },
  'campaign.schedule': {
    clause: '§2.4, §8',
    title: 'The weekly schedule has 168 hourly values',
    run: (context) => forEverySample(context, expectSchedule),
  },
  'campaign.row': {
    clause: '§2.2, §2.4',
    title: 'The list and the campaign say the same',
    async run(context) {
      const [sample] = await context.account.samples();
      if (sample === undefined) return;
      const { data } = await context.account.list(`query=${sample.row.cid}`);
      const { campaign } = await context.account.sample(sample.row);
      for (const field of shared) {
        const listed = data[0]?.[field];
        if (campaign[field] !== listed) {
          throw drift`Expected ${ownWords(field)} ${shown(campaign[field])} in the list as in campaign ${sample.row.cid}; came ${shown(listed)}.`;
        }
      }
    },
  },
  'campaign.absent': {
    clause: '§7.1',
    title: 'A campaign that is not there is 404',
    run: async ({ member }) =>
      expectStatus(await member.get(`/${absentId}`), [404], 'where there is no such campaign'),
  },
  'campaign.foreign': {
    clause: '§1, §7.1',
    title: 'A campaign of another member answers like an absent one',
    async run({ member, known }) {
      if (known.foreignCid === undefined) throw notChecked`No campaign of another member is known.`;
      const absent = await member.get(`/${absentId}`);
      const foreign = await member.get(`/${known.foreignCid}`);
      expectStatus(foreign, [absent.status], 'as for an absent campaign');
      if (foreign.text !== absent.text)
        throw drift`Expected the same answer as for an absent campaign; came another one.`;
    },
  },
});
