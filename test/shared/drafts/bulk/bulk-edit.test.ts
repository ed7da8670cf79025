import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
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
  type MemberKind,
  type SetField,
  setFields,
  setKinds,
} from '#shared/drafts/index.ts';
import { contractFields, targetingDimensions } from '#shared/campaign/index.ts';
import { jsonEqual, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { exampleCampaign, exampleContext } from '#test/fixtures/campaign.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

const workdays = [0, 1, 2, 3, 4].flatMap((day) =>
  Array.from({ length: 12 }, (_, hour) => day * 24 + 8 + hour),
);

function outcomeOf(
  edit: BulkEdit,
  {
    change = {},
    draft = {},
    source,
    kind = null,
  }: { change?: JsonObject; draft?: CampaignDraft; source?: JsonObject; kind?: MemberKind | null } = {},
): BulkOutcome {
  const { types, settings } = exampleContext();
  const campaign = { ...exampleCampaign(), ...change };
  return bulkOutcomeOf(
    { campaign, campaign_types: types, settings },
    draft,
    (present) =>
      planBulkEdit(edit, present, {
        replaced: undefined,
        source,
        read: campaign,
        context: { types, settings },
        memberKindOf: () => kind,
      }),
    defaultFormats,
  );
}

function reported(outcome: BulkOutcome): unknown {
  if (outcome.state === 'problem') return outcome.problems;
  return Object.fromEntries(outcome.fields.map(({ field, after }) => [field, after]));
}

function amount(change: Partial<Extract<BulkEdit, { kind: 'amount' }>>): BulkEdit {
  const up = { kind: 'percent', percent: '10' } as const;
  return { kind: 'amount', field: 'payout', change: up, floor: null, cap: null, turnsOn: false, ...change };
}

const setTo = (field: SetField, value: string | number): BulkEdit => ({ kind: 'set', field, value });

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
  ['a bid stays below its cap', amount({ cap: '0.105' }), { payout: 0.1 }, { payout: 0.105 }],
  [
    'a bid stays above its floor',
    amount({ change: { kind: 'subtract', amount: '0.05' }, floor: '0.08' }),
    { payout: 0.1 },
    { payout: 0.08 },
  ],
  [
    'a pending campaign cannot be activated',
    { kind: 'status', status: 1 },
    { status: 0 },
    [expect.stringMatching(/approved by the service/u)],
  ],
  [
    'a pause is not refused for another field',
    { kind: 'status', status: 3 },
    { status: 1, payout: 99 },
    { status: 3 },
  ],
  [
    'a bid beyond the limits of its type is a problem',
    amount({ change: { kind: 'set', value: 99 } }),
    {},
    [expect.stringMatching(/Bid/u)],
  ],
  ['the current bid changes nothing', amount({ change: { kind: 'set', value: 0.1 } }), { payout: 0.1 }, {}],
  [
    'an unlimited budget is not calculated',
    amount({ field: 't_revenue' }),
    { t_revenue: 0 },
    [expect.stringMatching(/unlimited/u)],
  ],
  [
    'a budget is not reduced to unlimited',
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
    'budgets are turned on if requested',
    amount({ field: 'd_revenue', change: { kind: 'set', value: 80 }, turnsOn: true }),
    { enable_budget: 0 },
    { d_revenue: 80, enable_budget: 1 },
  ],
  ['a country is added', members({}), { geo_enabled: 0, geo: ['DE'] }, { geo: ['DE', 'BR'] }],
  ['an existing country adds nothing', members({ members: ['de'] }), { geo_enabled: 0, geo: ['DE'] }, {}],
  ['a campaign for all countries stays one', members({}), { geo_enabled: 1, geo: [] }, {}],
  [
    'a campaign for all countries is limited if requested',
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
    'hours are added in the zone of the existing hours',
    schedule('add', [1, 2], 'UTC'),
    { enable_shedule: 1, shedule: week([2]), shedule_timezone: 'Europe/Berlin' },
    { shedule: week([1, 2]) },
  ],
  [
    'hours are removed in the zone of those that stay',
    schedule('remove', [2], 'UTC'),
    { enable_shedule: 1, shedule: week([1, 2]), shedule_timezone: 'Europe/Berlin' },
    { shedule: week([1]) },
  ],
  [
    'without a schedule every hour is on already',
    schedule('add', [1]),
    { enable_shedule: 0, shedule: off },
    {},
  ],
  [
    'without a schedule hours are removed from a full week',
    schedule('remove', [0], 'Europe/Berlin'),
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
  [
    'start and end move together',
    { kind: 'shiftFlight', days: -7 },
    { enable_time: 1, create: '2026-12-03', expire: '2026-12-28' },
    { create: '2026-11-26', expire: '2026-12-21' },
  ],
  [
    'without an end the start moves alone',
    { kind: 'shiftFlight', days: 30 },
    { enable_time: 1, create: '2026-12-03', create_time: '00:00', expire: '', expire_time: '' },
    { create: '2027-01-02' },
  ],
  [
    'a flight that is off does not move',
    { kind: 'shiftFlight', days: 7 },
    { enable_time: 0, create: '2026-12-03', expire: '2026-12-28' },
    [expect.stringMatching(/no start or end/u)],
  ],
  [
    'the start is set with its first minute, and turns the flight on',
    { kind: 'startOn', date: '2026-12-05' },
    { enable_time: 0, create: '', create_time: '', expire: '2026-12-28', expire_time: '23:59' },
    { enable_time: 1, create: '2026-12-05', create_time: '00:00' },
  ],
  [
    'a start behind the end is a problem',
    { kind: 'startOn', date: '2027-01-05' },
    { enable_time: 1, expire: '2026-12-28', expire_time: '23:59' },
    [expect.stringMatching(/before the start/u)],
  ],
  ['a title is set', setTo('title', 'Summer sale'), { title: 'Old' }, { title: 'Summer sale' }],
  ['a description is set', setTo('description', 'Now'), { description: 'Old' }, { description: 'Now' }],
  [
    'a title is a problem if the type has none',
    setTo('title', 'Summer sale'),
    exampleCampaign('popunder'),
    [expect.stringMatching(/not used by its type/u)],
  ],
  [
    'a type of unknown kind may use any field',
    setTo('title', 'Summer sale'),
    { ...exampleCampaign('other'), title: 'Old' },
    { title: 'Summer sale' },
  ],
  [
    'a type is set if the rest of the campaign suits it',
    setTo('type', 12),
    { type: 11, payout: 0.1 },
    { type: 12 },
  ],
  [
    'a type whose bid limits do not fit is a problem',
    setTo('type', 15),
    { type: 11, payout: 2 },
    [expect.stringMatching(/Bid/u)],
  ],
  ['an address is set', setTo('clickurl', 'https://a.example/'), {}, { clickurl: 'https://a.example/' }],
  ['budget limits are turned off', setTo('enable_budget', 0), { enable_budget: 1 }, { enable_budget: 0 }],
  [
    'a flight without a start is not turned on',
    setTo('enable_time', 1),
    { enable_time: 0, create: '', create_time: '', expire: '', expire_time: '' },
    [expect.stringMatching(/Start date/u), expect.stringMatching(/Start time/u)],
  ],
  [
    'a start time is set',
    setTo('create_time', '09:30'),
    { enable_time: 1, create: '2026-06-01', create_time: '00:00' },
    { create_time: '09:30' },
  ],
  [
    'an end time has no effect while the flight is off',
    setTo('expire_time', '12:00'),
    { enable_time: 0, expire_time: '23:59' },
    [expect.stringMatching(/Flight is off, so End time/u)],
  ],
  [
    'a zone is set',
    setTo('shedule_timezone', 'Europe/Berlin'),
    { enable_shedule: 1, shedule: week([1]), shedule_timezone: 'UTC' },
    { shedule_timezone: 'Europe/Berlin' },
  ],
  ['keywords are turned on', setTo('keywords_enabled', 1), { keywords_enabled: 0 }, { keywords_enabled: 1 }],
  [
    'pacing is turned on with a count that the service takes',
    setTo('traffic_speed', 1),
    { traffic_speed: 0, traffic_speed_counter: 20 },
    { traffic_speed: 1, traffic_speed_counter: 1000 },
  ],
  ['a cap that is on in another mode keeps it', setTo('freq_cap', 1), { freq_cap: 2, freq_counter: 3 }, {}],
  [
    'a frequency count rises by half and is whole',
    amount({ field: 'freq_counter', change: { kind: 'percent', percent: '50' } }),
    { freq_cap: 1, freq_counter: 3 },
    { freq_counter: 5 },
  ],
  [
    'a count has no effect while its cap is off',
    amount({ field: 'freq_counter', change: { kind: 'set', value: 4 } }),
    { freq_cap: 0 },
    [expect.stringMatching(/Frequency cap is off/u)],
  ],
  [
    'a count turns its mode on if requested',
    amount({ field: 'traffic_speed_counter', change: { kind: 'set', value: 5000 }, turnsOn: true }),
    { traffic_speed: 0, traffic_speed_counter: 0 },
    { traffic_speed: 1, traffic_speed_counter: 5000 },
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
  expect(reported(outcomeOf(edit, { change }))).toEqual(expected);
});

describe('entries are added in the notation of the list:', () => {
  const list = 'publisher_blocklist';
  const edit = (change: 'add' | 'replace', ...added: (string | number)[]) =>
    members({ list, change, members: added });
  test.each<[title: string, kind: MemberKind | null, there: JsonValue, edit: BulkEdit, expected: unknown]>([
    ['numbers into an empty list', 'numbers', [], edit('add', '70001', '5'), { [list]: [70_001, 5] }],
    ['numbers in place of an empty list', 'numbers', [], edit('replace', '5'), { [list]: [5] }],
    ['texts into an empty list', 'texts', [], edit('add', '5'), { [list]: ['5'] }],
    ['as typed if no campaign shows the notation', null, [], edit('add', '5'), { [list]: ['5'] }],
    ['its own kind comes first', 'texts', [7], edit('add', '5'), { [list]: [7, 5] }],
    ['a text stays a text', 'numbers', 'a\nb', edit('add', '5'), { [list]: 'a\nb\n5' }],
    ['a replaced text keeps its separator', null, 'a, b', edit('replace', 'c', 'd'), { [list]: 'c, d' }],
    ['an equal text keeps its order', null, 'b;a', edit('replace', 'a', 'b'), {}],
    [
      'no entry that a text would split in two',
      null,
      'b;a',
      edit('add', 'c;d'),
      [expect.stringContaining('“c;d” as several')],
    ],
    [
      'no text among numbers',
      'numbers',
      [],
      edit('add', '5', 'bad'),
      [expect.stringContaining('“bad” isn’t one')],
    ],
    ['no text in place of numbers', null, [7], edit('replace', 'x'), [expect.stringContaining('numbers')]],
  ])('%s', (_title, kind, there, change, expected) => {
    expect(reported(outcomeOf(change, { change: { [list]: there }, kind }))).toEqual(expected);
  });
});

test('an entry added to a text that a draft reduced to one entry gets the original separator', () => {
  const remove = { kind: 'removeMembers' as const, members: ['b'] };
  const { fields } = outcomeOf(members({ list: 'keywords_blocklist', members: ['c'] }), {
    change: { keywords_blocklist: 'a, b' },
    draft: { keywords_blocklist: { from: 'a, b', operations: [remove] } },
  });
  expect(fields).toMatchObject([{ before: 'a', after: 'a, c' }]);
});

test.each<[string, BulkEdit, string, CampaignDraft]>([
  ['the original entries leave no draft', members({ change: 'replace', members: ['A', 'b'] }), 'a, b', {}],
  [
    'other entries get the stored separator',
    members({ change: 'replace', members: ['x', 'y'] }),
    'x, y',
    { keywords_blocklist: { from: 'a, b', operations: [{ kind: 'set', value: 'x, y' }] } },
  ],
])('a text that was drafted to one entry is replaced: %s', (_case, edit, after, draft) => {
  const stored = { keywords_blocklist: 'a, b' };
  const present: CampaignDraft = {
    keywords_blocklist: { from: 'a, b', operations: [{ kind: 'set', value: 'c' }] },
  };
  const { fields } = outcomeOf({ ...edit, list: 'keywords_blocklist' } as BulkEdit, {
    change: stored,
    draft: present,
  });
  expect(fields).toMatchObject([{ after, draft: draft['keywords_blocklist'] ?? null }]);
});

test('every field of the contract can be changed in bulk, except ids, pictures and bid controls', () => {
  const others = ['payout', 'd_revenue', 't_revenue', 'freq_counter', 'traffic_speed_counter', 'status'];
  const dates = ['create', 'expire', 'shedule'];
  const lists = targetingDimensions.flatMap(({ flag, list }) => [flag, list]);
  const reached = [...setFields, ...others, ...dates, ...lists, 'keywords_whitelist', 'keywords_blocklist'];
  const left = contractFields.filter((field) => !reached.includes(field));
  expect(left).toEqual(['cid', 'uid', 'icon', 'image', 'bidControl']);
});

test.each<[SetField, string | number]>([
  ['title', 3],
  ['title', ''],
  ['type', '11'],
  ['freq_cap', 2],
  ['enable_time', 'on'],
])('%s cannot be set to %j', (field, value) => {
  expect(bulkEditSchema.safeParse({ kind: 'set', field, value }).success).toBe(false);
});

test('setting a field changes only that field, or the count that its mode needs', () => {
  const values = { text: 'https://a.example/', time: '10:15', zone: 'UTC', switch: 1, type: 12 } as const;
  fc.assert(
    fc.property(fc.constantFrom(...setFields), fc.constantFrom('push', 'cpm', 'other'), (field, kind) => {
      const { fields } = outcomeOf(setTo(field, values[setKinds[field]]), {
        change: { ...exampleCampaign(kind), freq_cap: 0, traffic_speed: 0 },
      });
      for (const { field: touched } of fields)
        expect([
          field,
          ...(field === 'freq_cap' ? ['freq_counter'] : []),
          ...(field === 'traffic_speed' ? ['traffic_speed_counter'] : []),
        ]).toContain(touched);
    }),
  );
});

test('a replacement that would make a huge text is refused', () => {
  const edit = {
    kind: 'text',
    fields: ['clickurl'],
    find: 'a',
    replacement: 'b'.repeat(2_000),
    isPattern: false,
    matchesCase: true,
  } as const;
  const outcome = outcomeOf({ ...edit, fields: ['clickurl'] }, { change: { clickurl: 'a'.repeat(100) } });
  expect(reported(outcome)).toEqual([expect.stringMatching(/too long/u)]);
});

test('restoring the stored value of a field removes its draft', () => {
  const draft: CampaignDraft = { status: { from: 1, operations: [{ kind: 'set', value: 3 }] } };
  const { fields } = outcomeOf({ kind: 'status', status: 1 }, { change: { status: 1 }, draft });
  expect(fields).toEqual([{ field: 'status', before: 3, after: 1, draft: null, isConflict: false }]);
});

test('new operations follow earlier ones, and setting a value replaces all earlier ones', () => {
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

test('an error of an earlier draft does not count against the edit', () => {
  const draft: CampaignDraft = { name: { from: 'x', operations: [{ kind: 'set', value: '' }] } };
  expect(outcomeOf({ kind: 'status', status: 3 }, { change: { status: 1 }, draft }).state).toBe('change');
});

test('pasting changes only fields of its sections, and never id, account, name or status', () => {
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
  expect(reported(all)).toEqual({ payout: 0.2, geo: ['JP'] });
  const targeting = outcomeOf({ kind: 'paste', source: 7, sections: ['targeting'] }, { source });
  expect(reported(targeting)).toEqual({ geo: ['JP'] });
});

test('pasting bid controls changes only the bids of the same sources', () => {
  const rule = { id: 1, mode: 'multiply', factor: 2 };
  const change = { bidControl: [{ source: 'zone-7', bid: 0.05 }, rule, { source: 'zone-8', bid: 0.06 }] };
  const source: JsonObject = {
    ...exampleCampaign(),
    bidControl: [
      { source: 'zone-9', bid: 0.2 },
      { source: 'zone-8', bid: 0.3 },
      { ...rule, factor: 9 },
    ],
  };
  const edit: BulkEdit = { kind: 'paste', source: 7, sections: ['bidControls'] };
  expect(reported(outcomeOf(edit, { change, source }))).toEqual({
    bidControl: [{ source: 'zone-7', bid: 0.05 }, rule, { source: 'zone-8', bid: 0.3 }],
  });
  expect(outcomeOf(edit, { source }).state).toBe('same');
});

test('the drafts of a bulk edit have exactly the effect that its preview shows', () => {
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

test.each<[change: JsonValue | undefined, drafted: JsonValue | undefined, start: JsonValue]>([
  [null, undefined, null],
  [undefined, null, null],
  [undefined, undefined, 'https://theirs.example'],
  ['https://exported.example', null, 'https://exported.example'],
])(
  'a change from %j over a draft from %j keeps the start value, including a missing one',
  (from, own, start) => {
    const { types, settings } = exampleContext();
    const campaign = { ...exampleCampaign(), website: 'https://theirs.example' };
    const draft: CampaignDraft =
      own === undefined ? {} : { website: { from: own, operations: [{ kind: 'set', value: 'x' }] } };
    const outcome = bulkOutcomeOf(
      { campaign, campaign_types: types, settings },
      draft,
      () => ({
        kind: 'changes',
        changes: [
          {
            field: 'website',
            operations: [{ kind: 'set', value: 'https://mine.example' }],
            ...(from !== undefined && { from }),
          },
        ],
      }),
      defaultFormats,
    );
    expect(outcome.fields[0]?.draft?.from).toEqual(start);
  },
);

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
    amount({ field: 't_revenue', change: { kind: 'set', value: 0 } }),
    'Total budget Unlimited in 187 campaigns',
  ],
  [
    members({ list: 'publisher_blocklist', members: ['1', '2'] }),
    'Add 2 entries to Blocked publishers of 187 campaigns',
  ],
  [schedule('replace', workdays), 'Run 60 hours a week in 187 campaigns'],
  [{ kind: 'shiftEnd', days: -1 }, 'End 1 day earlier in 187 campaigns'],
  [{ kind: 'shiftFlight', days: 7 }, 'Start and end 7 days later in 187 campaigns'],
  [{ kind: 'startOn', date: '2026-12-05' }, 'Start on 5 Dec 2026 in 187 campaigns'],
  [setTo('title', 'Summer sale'), 'Title “Summer sale” in 187 campaigns'],
  [setTo('freq_cap', 1), 'Frequency cap on in 187 campaigns'],
  [setTo('type', 12), 'Another type in 187 campaigns'],
  [
    amount({ field: 'traffic_speed_counter', change: { kind: 'set', value: 2000 } }),
    'Pacing count 2,000 in 187 campaigns',
  ],
  [{ kind: 'status', status: 3 }, 'Pause 187 campaigns'],
  [
    { kind: 'paste', source: 1042, sections: ['targeting', 'schedule'] },
    'Paste targeting, weekly schedule of campaign 1042 into 187 campaigns',
  ],
])('%j is shown with its title', (edit, title) => {
  expect(bulkTitle(edit, 187, defaultFormats)).toBe(title);
});
