import type { Sample } from '#core/doctor/contract/account.ts';
import type { ContractCheck } from '#core/doctor/contract/check.ts';
import type { WriteContext } from '../write-context.ts';
import { envelopeOf } from '#core/doctor/contract/expect.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { expectInvalid, expectStored, onPausedCampaign } from '../paused-campaign.ts';
import { usualFormats } from '#shared/lib/formats.ts';

/** One limit of an update, tried on both sides (contract §2.4, §8). */
interface UpdateLimit {
  id: string;
  clause: string;
  title: string;
  /** Field names; the details of a refusal name at least one. */
  names: readonly string[];
  fits(sample: Sample): boolean;
  /** Changes that must be stored. */
  within(sample: Sample): readonly JsonObject[];
  /** Changes that must be refused. */
  beyond(sample: Sample): readonly JsonObject[];
}

const always = () => true;
const hasCreative = ({ kind }: Sample) => kind.contextual || kind.push;

function typeOf({ campaign, context }: Sample) {
  return context.types[String(Number(campaign['type']))] ?? { minBid: 0, maxBid: 0 };
}

const letters = (count: number) => 'n'.repeat(count);

function length(field: string, most: number, fits: UpdateLimit['fits']): UpdateLimit {
  return {
    id: `limits.${field}`,
    clause: '§2.4, §8',
    title: `The ${field} has at most ${most} characters`,
    names: [field],
    fits,
    within: () => [{ [field]: letters(most) }],
    beyond: () => [{ [field]: letters(most + 1) }],
  };
}

const week = ({ campaign }: Sample): JsonValue[] => {
  const { shedule } = campaign;
  return Array.isArray(shedule) ? shedule : [];
};

const scheduled = { enable_shedule: 1, shedule_timezone: 'UTC' };
const cent = 0.01;

/** How much beyond a bid's bounds is tried. */
const bidStep = 0.0001;

/** Sums without the noise of binary fractions. */
const sum = (left: number, right: number) => Number((left + right).toFixed(6));

/** The limits of §8 and the rules of §2.4 that have two sides. */
const updateLimits: readonly UpdateLimit[] = [
  length('name', 255, always),
  length('title', 25, hasCreative),
  length('description', 75, hasCreative),
  {
    id: 'limits.payout',
    clause: '§2.4, §8',
    title: 'The bid stands within minBid and maxBid of its type',
    names: ['payout'],
    fits: always,
    within: (sample) => [{ payout: typeOf(sample).minBid }, { payout: typeOf(sample).maxBid }],
    beyond: (sample) => [
      { payout: sum(typeOf(sample).minBid, -bidStep) },
      { payout: sum(typeOf(sample).maxBid, bidStep) },
      { payout: String(typeOf(sample).minBid) },
    ],
  },
  {
    id: 'limits.daily-budget',
    clause: '§2.4, §8',
    title: 'The daily budget is at least the minimum while budgeting is on',
    names: ['d_revenue'],
    fits: always,
    within: ({ context }) => [{ enable_budget: 1, d_revenue: context.settings.min_budget, t_revenue: 0 }],
    beyond: ({ context }) => [
      { enable_budget: 1, d_revenue: sum(context.settings.min_budget, -cent), t_revenue: 0 },
    ],
  },
  {
    id: 'limits.total-budget',
    clause: '§2.4, §8',
    title: 'The total budget is at least the minimum while budgeting is on, or 0 for unlimited',
    names: ['t_revenue'],
    fits: always,
    within: ({ context: { settings } }) => [
      { enable_budget: 1, d_revenue: settings.min_budget, t_revenue: settings.min_budget },
      { enable_budget: 1, d_revenue: settings.min_budget, t_revenue: 0 },
    ],
    beyond: ({ context: { settings } }) => [
      { enable_budget: 1, d_revenue: settings.min_budget, t_revenue: sum(settings.min_budget, -cent) },
    ],
  },
  {
    id: 'limits.pacing',
    clause: '§2.4, §8',
    title: 'The pacing counter is a whole number of at least 1,000 while pacing is on',
    names: ['traffic_speed_counter'],
    fits: ({ context }) => context.settings.enable_traffic_speed,
    within: () => [{ traffic_speed: 1, traffic_speed_counter: 1_000 }],
    beyond: () => [
      { traffic_speed: 1, traffic_speed_counter: 999 },
      { traffic_speed: 1, traffic_speed_counter: 1_000.5 },
    ],
  },
  {
    id: 'limits.frequency-cap',
    clause: '§2.4',
    title: 'The frequency counter is positive while the cap is on',
    names: ['freq_counter'],
    fits: ({ context }) => context.settings.enable_freq_cap,
    within: () => [{ freq_cap: 1, freq_counter: 1 }],
    beyond: () => [{ freq_cap: 1, freq_counter: 0 }],
  },
  {
    id: 'limits.schedule',
    clause: '§2.4, §8',
    title: 'The weekly schedule keeps all of its 168 hourly values, and needs a time zone',
    names: ['shedule', 'shedule_timezone'],
    fits: (sample) => week(sample).length === 168,
    within: (sample) => [{ ...scheduled, shedule: week(sample).with(167, 1).with(0, 0) }],
    beyond: (sample) => [
      { ...scheduled, shedule: week(sample).slice(1) },
      { ...scheduled, shedule: [...week(sample), 1] },
      { ...scheduled, shedule_timezone: '' },
    ],
  },
  {
    id: 'limits.window',
    clause: '§2.4',
    title: 'The end does not precede the start',
    names: ['expire'],
    fits: always,
    within: () => [window('2031-05-06', '10:00', '2031-05-06', '10:00')],
    beyond: () => [
      window('2031-05-06', '10:00', '2031-05-05', '10:00'),
      window('2031-05-06', '10:00', '2031-05-06', '09:59'),
    ],
  },
  {
    id: 'limits.selectors',
    clause: '§2.4',
    title: 'A custom selector needs a value',
    names: ['geo'],
    fits: always,
    within: () => [{ geo_enabled: 0, geo: ['DE'] }],
    beyond: () => [{ geo_enabled: 0, geo: [] }],
  },
  {
    id: 'limits.type',
    clause: '§2.4',
    title: 'The type is one of campaign_types',
    names: ['type'],
    fits: always,
    within: () => [],
    beyond: ({ context }) => [{ type: Math.max(...Object.keys(context.types).map(Number)) + 1 }],
  },
  {
    id: 'limits.status',
    clause: '§2.4',
    title: 'The status is a whole number from 0 to 4',
    names: ['status'],
    fits: always,
    within: () => [{ status: 2 }],
    beyond: () => [{ status: 5 }, { status: -1 }, { status: 1.5 }],
  },
  {
    id: 'limits.clickurl',
    clause: '§2.4',
    title: 'The click URL of CPC and CPV types is an HTTP(S) address; its macros are kept',
    names: ['clickurl'],
    fits: ({ kind, context }) =>
      context.settings.edit_clickurl && (kind.pricing === 'CPC' || kind.pricing === 'CPV'),
    within: () => [{ clickurl: 'https://track.example/c?id={click_id}&at=%7B{campaign_id}' }],
    beyond: () => [{ clickurl: 'ftp://track.example/c' }, { clickurl: '' }],
  },
  {
    id: 'limits.website',
    clause: '§2.4',
    title: 'The website of CPM types is an HTTP(S) address',
    names: ['website'],
    fits: ({ kind }) => kind.pricing === 'CPM',
    within: () => [{ website: 'https://www.brand.example/' }],
    beyond: () => [{ website: 'www.brand.example' }, { website: '' }],
  },
];

function window(create: string, create_time: string, expire: string, expire_time: string): JsonObject {
  return { enable_time: 1, create, create_time, expire, expire_time };
}

/** Every limit on both sides, and the normalising of selectors (contract §2.4, §8). */
export const updateLimitChecks: readonly ContractCheck<WriteContext>[] = [
  ...updateLimits.map(({ id, clause, title, names, fits, within, beyond }) => ({
    id,
    clause,
    title,
    needs: ['member'] as const,
    run: (context: WriteContext) =>
      onPausedCampaign(context, fits, async (subject) => {
        for (const changes of beyond(subject))
          await expectInvalid(subject, await subject.put(changes), names);
        for (const changes of within(subject)) {
          envelopeOf(await subject.put(changes), 'member', usualFormats);
          await expectStored(subject, changes);
        }
      }),
  })),
  {
    id: 'update.all-values',
    clause: '§2.4',
    title: 'A flag of 1 means all values: its list becomes []',
    needs: ['member'],
    run: (context) =>
      onPausedCampaign(
        context,
        () => true,
        async (subject) => {
          envelopeOf(await subject.put({ geo_enabled: 1, geo: ['DE', 'AT'] }), 'member', usualFormats);
          await expectStored(subject, { geo_enabled: 1, geo: [] });
        },
      ),
  },
];
