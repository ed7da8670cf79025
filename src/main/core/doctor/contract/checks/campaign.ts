import { targetingDimensions } from '#shared/campaign/index.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import type { Sample } from '../account.ts';
import { campaignFields, hourlyValues } from './campaign-fields.ts';
import { absentCid, type CheckContext, type ContractCheck } from '../check.ts';
import { drift, expectStatus, shown } from '../expect.ts';
import { NotChecked } from '../outcome.ts';
import type { Formats } from '#shared/lib/formats.ts';

/** Fields of both the list row and the campaign itself. */
const shared = ['cid', 'uid', 'name', 'status', 'payout', 'd_revenue', 't_revenue'] as const;

async function forEverySample({ account }: CheckContext, look: (sample: Sample) => void): Promise<void> {
  for (const sample of await account.samples()) look(sample);
}

function isSelectorOf({ pricing, popunder }: Sample['kind'], applies: string): boolean {
  if (applies === 'always') return true;
  return pricing === 'CPM' && (applies === 'cpm' || !popunder);
}

function expectFields({ campaign, kind, row: { cid } }: Sample, formats: Formats): void {
  for (const { name, expected, is, applies } of campaignFields) {
    if (!applies(kind)) continue;
    if (!Object.hasOwn(campaign, name)) drift(`${name} in campaign ${cid}`, 'nothing');
    if (!is(valueOf(campaign, name))) {
      drift(`${expected ?? 'a value'} as ${name} of campaign ${cid}`, shown(campaign[name], formats));
    }
  }
}

function expectSelectors({ campaign, kind, row: { cid } }: Sample, formats: Formats): void {
  for (const { flag, list, applies } of targetingDimensions) {
    if (!isSelectorOf(kind, applies)) continue;
    const state = valueOf(campaign, flag);
    const values = valueOf(campaign, list);
    if (state !== 0 && state !== 1)
      drift(`0 or 1 as ${flag} of campaign ${cid}`, shown(campaign[flag], formats));
    if (!Array.isArray(values))
      return drift(`a list as ${list} of campaign ${cid}`, shown(campaign[list], formats));
    if (state === 1 && values.length > 0)
      drift(`[] as ${list} of campaign ${cid}: its flag says all`, shown(values, formats));
    if (state === 0 && values.length === 0)
      drift(`a value in ${list} of campaign ${cid}: its flag says custom`, '[]');
  }
}

function expectSchedule({ campaign, row: { cid } }: Sample): void {
  const schedule = valueOf(campaign, 'shedule');
  const count = hourlyValues(schedule);
  const isOn = campaign['enable_shedule'] === 1;
  if (!isOn && count === 0) return;
  if (count !== 168) drift(`168 hourly values in the schedule of campaign ${cid}`, String(count));
}

function valueOf(campaign: JsonObject, name: string): JsonValue {
  return Object.hasOwn(campaign, name) ? (campaign[name] ?? null) : null;
}

/** GET /login/campaigns/{cid} (contract §2.3, §2.4), one campaign of each type. */
export const campaignChecks: readonly ContractCheck[] = [
  {
    id: 'campaign.shape',
    clause: '§2.1, §2.3',
    title: 'A campaign comes with its types and settings',
    needs: ['member'],
    run: async ({ account }) => void (await account.readSamples()),
  },
  {
    id: 'campaign.types',
    clause: '§2.3',
    title: 'The types are keyed by their codes, and their bids have bounds',
    needs: ['member'],
    run: (context, formats: Formats) =>
      forEverySample(context, ({ edit: { campaign_types: types } }) => {
        const entries = Object.entries(types);
        if (entries.length === 0) drift('the enabled types', 'none');
        for (const [code, { minBid, maxBid }] of entries) {
          if (!/^\d+$/.test(code)) drift('a type code as a key of campaign_types', shown(code, formats));
          if (minBid > maxBid) drift(`minBid up to maxBid for type ${code}`, `${minBid} and ${maxBid}`);
        }
      }),
  },
  {
    id: 'campaign.type',
    clause: '§2.3, §2.4',
    title: 'The type of a campaign is one of its campaign_types',
    needs: ['member'],
    run: (context, formats) =>
      forEverySample(context, ({ campaign, edit: { campaign_types: types }, row: { cid } }) => {
        const type = valueOf(campaign, 'type');
        // A value that is no number is a drift of the fields.
        if (typeof type !== 'number' || Object.hasOwn(types, String(type))) return;
        drift(
          `the type of campaign ${cid} among campaign_types, ${shown(Object.keys(types), formats)}`,
          shown(type, formats),
        );
      }),
  },
  {
    id: 'campaign.fields',
    clause: '§2.4',
    title: 'A campaign has every field that applies to its type',
    needs: ['member'],
    run: (context, formats: Formats) => forEverySample(context, (sample) => expectFields(sample, formats)),
  },
  {
    id: 'campaign.selectors',
    clause: '§2.4',
    title: 'A targeting flag of 1 has an empty list, and one of 0 at least one value',
    needs: ['member'],
    run: (context, formats: Formats) => forEverySample(context, (sample) => expectSelectors(sample, formats)),
  },
  {
    id: 'campaign.schedule',
    clause: '§2.4, §8',
    title: 'The weekly schedule has 168 hourly values',
    needs: ['member'],
    run: (context) => forEverySample(context, expectSchedule),
  },
  {
    id: 'campaign.row',
    clause: '§2.2, §2.4',
    title: 'The list and the campaign say the same',
    needs: ['member'],
    async run(context, formats: Formats) {
      const [sample] = await context.account.samples();
      if (sample === undefined) return;
      const { data } = await context.account.list(`query=${sample.row.cid}`);
      const { campaign } = await context.account.sample(sample.row);
      for (const field of shared) {
        const listed = data[0]?.[field];
        if (campaign[field] !== listed) {
          drift(
            `${field} ${shown(campaign[field], formats)} in the list as in campaign ${sample.row.cid}`,
            shown(listed, formats),
          );
        }
      }
    },
  },
  {
    id: 'campaign.absent',
    clause: '§7.1',
    title: 'A campaign that is not there is 404',
    needs: ['member'],
    run: async ({ member }) =>
      expectStatus(await member.get(`/${absentCid}`), [404], 'where there is no such campaign'),
  },
  {
    id: 'campaign.foreign',
    clause: '§1, §7.1',
    title: 'A campaign of another member answers like an absent one',
    needs: ['member'],
    async run({ member, known }) {
      if (known.foreignCid === undefined) throw new NotChecked('No campaign of another member is known.');
      const absent = await member.get(`/${absentCid}`);
      const foreign = await member.get(`/${known.foreignCid}`);
      expectStatus(foreign, [absent.status], 'as for an absent campaign');
      if (foreign.text !== absent.text) drift('the same answer as for an absent campaign', 'another one');
    },
  },
];
