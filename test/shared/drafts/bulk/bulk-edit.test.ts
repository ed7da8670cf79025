import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type BulkEdit,
  bulkEditSchema,
  type BulkOutcome,
  bulkOutcomeOf,
  bulkTitle,
  planBulkEdit,
  pasteSectionIds,
  withDraft,
  withFields,
  applyDraft,
  type CampaignDraft,
} from '#shared/drafts/index.ts';
import { jsonEqual, type JsonObject } from '#shared/lib/json/json-value.ts';
import { exampleCampaign, exampleContext } from '#test/fixtures/campaign.ts';

const workdays = [0, 1, 2, 3, 4].flatMap((day) =>
  Array.from({ length: 12 }, (_, hour) => day * 24 + 8 + hour),
);

function outcomeOf(
  edit: BulkEdit,
  {
    change = {},
    draft = {},
    source,
  }: { change?: JsonObject; draft?: CampaignDraft; source?: JsonObject } = {},
): BulkOutcome {
  const { types, settings } = exampleContext();
  const campaign = { ...exampleCampaign(), ...change };
  return bulkOutcomeOf({ campaign, campaign_types: types, settings }, draft, (present) =>
    planBulkEdit(edit, present, { replaced: undefined, source }),
  );
}

/** The changed fields, or the problems. */
function told(outcome: BulkOutcome): unknown {
  if (outcome.state === 'problem') return outcome.problems;
  return Object.fromEntries(outcome.fields.map(({ field, after }) => [field, after]));
}

function amount(change: Partial<Extract<BulkEdit, { kind: 'amount' }>>): BulkEdit {
  const up = { kind: 'percent', percent: '10' } as const;
  return { kind: 'amount', field: 'payout', change: up, floor: null, cap: null, turnsOn: false, ...change };
}

const members = (change: Partial<Extract<BulkEdit, { kind: 'members' }>>): BulkEdit => ({
  kind: 'members',
  list: 'geo',
  change: 'add',
  members: ['BR'],
  limitsAll: false,
  ...change,
});

const schedule = (
  change: 'replace' | 'add' | 'remove',
  hours: number[],
  zone: string | null = null,
): BulkEdit => ({
  kind: 'schedule',
  change,
  hours,
  zone,
});

const off = Array.from({ length: 168 }, () => 0);
const week = (hours: readonly number[]): number[] => off.map((_, hour) => (hours.includes(hour) ? 1 : 0));

const cases: [string, BulkEdit, JsonObject, unknown][] = [
  ['a bid rises by ten percent', amount({}), { payout: 0.1 }, { payout: 0.11 }],
  ['a bid is kept below its cap', amount({ cap: '0.105' }), { payout: 0.1 }, { payout: 0.105 }],
  [
    'a bid is kept above its floor',
    amount({ change: { kind: 'subtract', amount: '0.05' }, floor: '0.08' }),
    { payout: 0.1 },
    { payout: 0.08 },
  ],
  [
    'a bid beyond the limits of its type is a problem',
    amount({ change: { kind: 'set', value: 99 } }),
    {},
    [expect.stringMatching(/Bid/u)],
  ],
  [
    'the bid that is there already changes nothing',
    amount({ change: { kind: 'set', value: 0.1 } }),
    { payout: 0.1 },
    {},
  ],
  [
    'an unlimited budget is not calculated',
    amount({ field: 't_revenue' }),
    { t_revenue: 0 },
    [expect.stringMatching(/unlimited/u)],
  ],
  [
    'a budget is not taken down to unlimited',
    amount({ field: 't_revenue', change: { kind: 'subtract', amount: '100' } }),
    { t_revenue: 100 },
    [expect.stringMatching(/would become 0/u)],
  ],
  [
    'a budget that is off has no effect',
    amount({ field: 'd_revenue' }),
    { enable_budget: 0 },
    [expect.stringMatching(/limits are off/u)],
  ],
  [
    'budgets are turned on where that is asked for',
    amount({ field: 'd_revenue', change: { kind: 'set', value: 80 }, turnsOn: true }),
    { enable_budget: 0 },
    { d_revenue: 80, enable_budget: 1 },
  ],
  ['a country is added', members({}), { geo_enabled: 0, geo: ['DE'] }, { geo: ['DE', 'BR'] }],
  ['a country that is there adds nothing', members({ members: ['de'] }), { geo_enabled: 0, geo: ['DE'] }, {}],
  ['a campaign for all countries stays one', members({}), { geo_enabled: 1, geo: [] }, {}],
  [
    'a campaign for all countries is limited where that is asked for',
    members({ limitsAll: true }),
    { geo_enabled: 1, geo: [] },
    { geo_enabled: 0, geo: ['BR'] },
  ],
  [
    'nothing is removed from all countries',
    members({ change: 'remove' }),
    { geo_enabled: 1, geo: [] },
    [expect.stringMatching(/targets all/u)],
  ],
  [
    'the last country is not removed',
    members({ change: 'remove', members: ['DE'] }),
    { geo_enabled: 0, geo: ['DE'] },
    [expect.stringMatching(/at least one/u)],
  ],
  [
    'a list is replaced',
    members({ change: 'replace', members: ['BR', 'de'] }),
    { geo_enabled: 0, geo: ['DE', 'FR'] },
    { geo: ['BR', 'DE'] },
  ],
  [
    'a list of the same entries keeps its order',
    members({ change: 'replace', members: ['FR', 'DE'] }),
    { geo_enabled: 0, geo: ['DE', 'FR'] },
    {},
  ],
  [
    'all countries are targeted',
    { kind: 'targetAll', list: 'geo' },
    { geo_enabled: 0, geo: ['DE'] },
    { geo_enabled: 1, geo: [] },
  ],
  [
    'a filter that is not there is a problem',
    members({ list: 'ssp_blocklist' }),
    {},
    [expect.stringMatching(/no field/u)],
  ],
  [
    'keywords keep their lines',
    members({ list: 'keywords_blocklist', members: ['c'] }),
    { keywords_blocklist: 'a\nb' },
    { keywords_blocklist: 'a\nb\nc' },
  ],
  [
    'a week is replaced and turned on',
    schedule('replace', workdays, 'UTC'),
    { enable_shedule: 0, shedule: off, shedule_timezone: '' },
    { enable_shedule: 1, shedule: week(workdays), shedule_timezone: 'UTC' },
  ],
  [
    'a schedule needs a zone',
    schedule('replace', workdays),
    { enable_shedule: 0, shedule: off, shedule_timezone: '' },
    [expect.stringMatching(/time zone/u)],
  ],
  [
    'hours are added',
    schedule('add', [1, 2]),
    { enable_shedule: 1, shedule: week([2]), shedule_timezone: 'UTC' },
    { shedule: week([1, 2]) },
  ],
  [
    'without a schedule every hour is on already',
    schedule('add', [1]),
    { enable_shedule: 0, shedule: off },
    {},
  ],
  [
    'without a schedule hours are taken from a full week',
    schedule('remove', [0]),
    { enable_shedule: 0, shedule: off, shedule_timezone: 'UTC' },
    { enable_shedule: 1, shedule: off.map((_, hour) => (hour === 0 ? 0 : 1)) },
  ],
  [
    'the last hour is not removed',
    schedule('remove', [1]),
    { enable_shedule: 1, shedule: week([1]), shedule_timezone: 'UTC' },
    [expect.stringMatching(/never run/u)],
  ],
  [
    'the end moves by days',
    { kind: 'shiftEnd', days: 7 },
    { enable_time: 1, expire: '2026-12-28' },
    { expire: '2027-01-04' },
  ],
  [
    'an end that is not there does not move',
    { kind: 'shiftEnd', days: 7 },
    { enable_time: 1, expire: '', expire_time: '' },
    [expect.stringMatching(/no end date/u)],
  ],
  [
    'the end is set with its last minute',
    { kind: 'endOn', date: '2027-03-31' },
    { enable_time: 1, expire: '', expire_time: '' },
    { expire: '2027-03-31', expire_time: '23:59' },
  ],
  [
    'an end before the start is a problem',
    { kind: 'endOn', date: '2020-01-01' },
    { enable_time: 1, create: '2026-06-01', create_time: '00:00' },
    [expect.stringMatching(/before the start/u)],
  ],
  [
    'no end leaves the start',
    { kind: 'noEnd' },
    { enable_time: 1, expire: '2026-12-31', expire_time: '23:59' },
    { expire: '', expire_time: '' },
  ],
  ['a status is set', { kind: 'status', status: 3 }, { status: 1 }, { status: 3 }],
  [
    'a domain is replaced as plain text',
    {
      kind: 'text',
      fields: ['clickurl'],
      find: 'old.example',
      replacement: '$1new.example',
      isPattern: false,
      matchesCase: false,
    },
    { clickurl: 'https://OLD.example/?z={zone}' },
    { clickurl: 'https://$1new.example/?z={zone}' },
  ],
];

test.each(cases)('%s', (_title, edit, change, expected) => {
  expect(bulkEditSchema.parse(edit)).toEqual(edit);
  expect(told(outcomeOf(edit, { change }))).toEqual(expected);
});

test('a replacement that would make a giant text is a problem', () => {
  const edit = {
    kind: 'text',
    fields: ['clickurl'],
    find: 'a',
    replacement: 'b'.repeat(2_000),
    isPattern: false,
    matchesCase: true,
  } as const;
  const outcome = outcomeOf({ ...edit, fields: ['clickurl'] }, { change: { clickurl: 'a'.repeat(100) } });
  expect(told(outcome)).toEqual([expect.stringMatching(/too long/u)]);
});

test('what brings a field back to the value that was read removes its draft', () => {
  const draft: CampaignDraft = { status: { from: 1, operations: [{ kind: 'set', value: 3 }] } };
  const { fields } = outcomeOf({ kind: 'status', status: 1 }, { change: { status: 1 }, draft });
  expect(fields).toEqual([{ field: 'status', before: 3, after: 1, draft: null }]);
});

test('operations go behind those that are there, and a value that is set takes the place of all', () => {
  const draft: CampaignDraft = { payout: { from: 0.09, operations: [{ kind: 'add', amount: '0.01' }] } };
  const behind = outcomeOf(amount({}), { change: { payout: 0.1 }, draft });
  expect(behind.fields[0]?.draft).toEqual({
    from: 0.09,
    operations: [
      { kind: 'add', amount: '0.01' },
      { kind: 'percent', percent: '10' },
    ],
  });
  const instead = outcomeOf(amount({ change: { kind: 'set', value: 0.2 } }), { draft });
  expect(instead.fields[0]?.draft).toEqual({ from: 0.09, operations: [{ kind: 'set', value: 0.2 }] });
});

test('an error that another draft has already is not held against the edit', () => {
  const draft: CampaignDraft = { name: { from: 'x', operations: [{ kind: 'set', value: '' }] } };
  expect(outcomeOf({ kind: 'status', status: 3 }, { change: { status: 1 }, draft }).state).toBe('change');
});

test('pasting touches the fields of its sections alone, and never id, account, name or status', () => {
  const source: JsonObject = {
    ...exampleCampaign(),
    cid: 7,
    uid: 8,
    name: 'Other',
    status: 3,
    payout: 0.2,
    geo_enabled: 0,
    geo: ['JP'],
  };
  const all = outcomeOf({ kind: 'paste', source: 7, sections: [...pasteSectionIds] }, { source });
  expect(told(all)).toEqual({ payout: 0.2, geo: ['JP'] });
  const targeting = outcomeOf({ kind: 'paste', source: 7, sections: ['targeting'] }, { source });
  expect(told(targeting)).toEqual({ geo: ['JP'] });
});

test('the drafts of an edit make exactly what its preview shows, and touch no other field', () => {
  const edits = fc.constantFrom(...cases.map(([, edit]) => edit));
  const changes = fc.constantFrom(...cases.map(([, , change]) => change));
  fc.assert(
    fc.property(edits, edits, changes, (first, second, change) => {
      const campaign = { ...exampleCampaign(), ...change };
      let draft: CampaignDraft = {};
      for (const edit of [first, second]) {
        const outcome = outcomeOf(edit, { change, draft });
        if (outcome.state !== 'change') continue;
        const after = withFields(withDraft(campaign, draft), outcome.fields);
        const made = outcome.fields.flatMap(({ field, draft: one }) =>
          one === null ? [] : [[field, one] as const],
        );
        const gone = outcome.fields.map(({ field }) => field);
        draft = Object.fromEntries([
          ...Object.entries(draft).filter(([field]) => !gone.includes(field)),
          ...made,
        ]);
        const { payload } = applyDraft(campaign, draft);
        expect(payload).toEqual(after);
        for (const field of Object.keys(campaign)) {
          if (!Object.hasOwn(draft, field)) expect(jsonEqual(payload[field], campaign[field])).toBe(true);
        }
      }
    }),
  );
});

test.each<[BulkEdit, string]>([
  [amount({}), 'Bid +10% in 187 campaigns'],
  [
    amount({ change: { kind: 'percent', percent: '-5' }, floor: '0.05' }),
    'Bid −5%, at least $0.050, in 187 campaigns',
  ],
  [
    amount({ field: 'd_revenue', change: { kind: 'set', value: 1250.5 } }),
    'Daily budget $1,250.50 in 187 campaigns',
  ],
  [
    members({ list: 'publisher_blocklist', members: ['1', '2'] }),
    'Add 2 entries to publisher_blocklist of 187 campaigns',
  ],
  [schedule('replace', workdays), 'Run 60 hours a week in 187 campaigns'],
  [{ kind: 'shiftEnd', days: -1 }, 'End 1 day earlier in 187 campaigns'],
  [{ kind: 'status', status: 3 }, 'Pause 187 campaigns'],
  [
    { kind: 'paste', source: 1042, sections: ['targeting', 'schedule'] },
    'Paste targeting, weekly schedule of campaign 1042 into 187 campaigns',
  ],
])('%j is called by its title', (edit, title) => {
  expect(bulkTitle(edit, 187)).toBe(title);
});
