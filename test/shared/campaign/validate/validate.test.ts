import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fieldErrorCodes, targetingDimensions, validateCampaign } from '#shared/campaign/index.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { exampleCampaign, exampleContext, exampleTypes, type ExampleKind } from '#test/fixtures/campaign.ts';
import { runs } from '#test/setup/property-runs.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

const kinds = Object.keys(exampleTypes) as ExampleKind[];

/** Returns the problems of an example with some fields changed, as `field code`. The change counts as an edit. */
function failures(kind: ExampleKind, change: JsonObject, context = exampleContext()): string[] {
  const base = exampleCampaign(kind);
  return validateCampaign({ ...base, ...change }, context, base, defaultFormats).map(
    ({ field, code }) => `${field} ${code}`,
  );
}

function settings(change: Partial<ReturnType<typeof exampleContext>['settings']>) {
  const context = exampleContext();
  return { ...context, settings: { ...context.settings, ...change } };
}

const wide = '😀';

describe('an unchanged campaign is valid:', () => {
  test.each(kinds)('%s', (kind) => expect(failures(kind, {})).toEqual([]));
});

describe('every limit of a field applies exactly:', () => {
  const allowed: [string, ExampleKind, JsonObject][] = [
    ['name of 255', 'cpc', { name: wide.repeat(255) }],
    ['title of 25', 'push', { title: wide.repeat(25) }],
    ['description of 75', 'contextual', { description: wide.repeat(75) }],
    ['a long title in a type that does not use it', 'cpc', { title: 'x'.repeat(26) }],
    [
      'no title in a type that does not use it',
      'cpm',
      { title: null, description: '', icon: null, image: '' },
    ],
    [
      'a picture in a type that does not use it',
      'cpm',
      { icon: { url: 'http://img.example/{id}.png', id: 7 } },
    ],
    ['lowest bid', 'push', { payout: 0.01 }],
    ['highest bid', 'push', { payout: 2.5 }],
    ['lowest daily budget', 'push', { d_revenue: 10 }],
    ['unlimited total', 'push', { t_revenue: 0 }],
    ['lowest total', 'push', { t_revenue: 10 }],
    ['any budget while it is off', 'push', { enable_budget: 0, d_revenue: 0, t_revenue: 0.5 }],
    ['lowest pacing', 'push', { traffic_speed_counter: 1000 }],
    ['any pacing while it is off', 'push', { traffic_speed: 0, traffic_speed_counter: 0 }],
    ['lowest cap', 'push', { freq_counter: 1 }],
    ['any cap while it is off', 'push', { freq_cap: 0, freq_counter: 0 }],
    ['status 0', 'push', { status: 0 }],
    ['status 4', 'push', { status: 4 }],
    ['end at the start', 'push', { expire: '2026-06-01', expire_time: '00:00' }],
    ['no end', 'push', { expire: '', expire_time: '' }],
    ['no end as null', 'push', { expire: null, expire_time: null }],
    ['leap day', 'push', { expire: '2028-02-29' }],
    [
      'no dates while the flight is off',
      'push',
      { enable_time: 0, create: '', create_time: null, expire: null },
    ],
    ['macros in the click URL', 'cpv', { clickurl: 'https://{sub}.example/?c={{click_id}}&z=[ZONE]' }],
    ['empty click URL for CPM', 'cpm', { clickurl: '' }],
    ['empty website for CPC', 'cpc', { website: '' }],
    ['no zone while the schedule is off', 'push', { enable_shedule: 0, shedule_timezone: '' }],
    ['numeric targeting ids', 'push', { os: [276, 'linux'] }],
    ['empty CPM targeting for CPC', 'cpc', { lang_enabled: 0, categories_enabled: 0, exchanges_enabled: 0 }],
    ['empty connection for Popunder', 'popunder', { connection_enabled: 0, traffic_type_enabled: 0 }],
    ['any value in fields outside the contract', 'push', { x_optimizer: null, ip_blocklist: 'text' }],
    ['no bid controls', 'push', { bidControl: [] }],
  ];

  test.each(allowed)('%s is valid', (_what, kind, change) => expect(failures(kind, change)).toEqual([]));

  const refused: [string, ExampleKind, JsonObject, string][] = [
    ['name of 256', 'cpc', { name: wide.repeat(256) }, 'name too_long'],
    ['empty name', 'cpc', { name: '' }, 'name required'],
    ['blank name', 'cpc', { name: ' \t' }, 'name required'],
    ['name as a number', 'cpc', { name: 7 }, 'name wrong_type'],
    ['half a character', 'cpc', { name: 'a\ud800' }, 'name broken_text'],
    ['title of 26', 'push', { title: 'x'.repeat(26) }, 'title too_long'],
    ['title of 26 for Contextual', 'contextual', { title: wide.repeat(26) }, 'title too_long'],
    ['description of 76', 'push', { description: wide.repeat(76) }, 'description too_long'],
    ['no title', 'push', { title: '' }, 'title required'],
    ['null description', 'contextual', { description: null }, 'description wrong_type'],
    ['no icon', 'push', { icon: null }, 'icon required'],
    ['icon as text', 'push', { icon: 'https://img.example/i.png' }, 'icon wrong_type'],
    ['image without url', 'push', { image: { width: 1 } }, 'image wrong_type'],
    ['image with an empty url', 'push', { image: { url: '' } }, 'image wrong_type'],
    ['image by script', 'push', { image: { url: 'javascript:alert(1)' } }, 'image invalid_url'],
    ['icon with a blank url', 'push', { icon: { url: ' ' } }, 'icon invalid_url'],
    ['icon with an invalid url', 'push', { icon: { url: 'not a url' } }, 'icon invalid_url'],
    ['a number as the icon in a type that does not use it', 'cpm', { icon: 5 }, 'icon wrong_type'],
    ['a list as the image in a type that does not use it', 'cpm', { image: [] }, 'image wrong_type'],
    ['a text as the image in a type that does not use it', 'cpc', { image: 'x' }, 'image wrong_type'],
    [
      'an image by script in a type that does not use it',
      'cpc',
      { image: { url: 'data:,x' } },
      'image invalid_url',
    ],
    ['bid under the lowest', 'push', { payout: 0.009999 }, 'payout out_of_range'],
    ['bid over the highest', 'push', { payout: 2.500001 }, 'payout out_of_range'],
    ['bid as text', 'push', { payout: '0.05' }, 'payout wrong_type'],
    ['bid NaN', 'push', { payout: Number.NaN }, 'payout wrong_type'],
    ['bid null', 'push', { payout: null }, 'payout wrong_type'],
    ['type of no tenant', 'push', { type: 999 }, 'type not_allowed'],
    ['type by an inherited name', 'push', { type: 'constructor' }, 'type wrong_type'],
    ['type as text', 'push', { type: '11' }, 'type wrong_type'],
    ['status 5', 'push', { status: 5 }, 'status out_of_range'],
    ['status −1', 'push', { status: -1 }, 'status out_of_range'],
    ['status 1.5', 'push', { status: 1.5 }, 'status wrong_type'],
    ['status true', 'push', { status: true }, 'status wrong_type'],
    ['uid as text', 'push', { uid: '7' }, 'uid wrong_type'],
    ['cid as text', 'push', { cid: '1042' }, 'cid wrong_type'],
    ['no click URL', 'cpc', { clickurl: '' }, 'clickurl required'],
    [
      'click URL with a backslash',
      'cpc',
      { clickurl: 'https://a.example\\@b.example' },
      'clickurl invalid_url',
    ],
    [
      'click URL with a user name',
      'cpc',
      { clickurl: 'https://a.example@b.example/' },
      'clickurl invalid_url',
    ],
    ['click URL with an escaped host', 'cpv', { clickurl: 'https://a%2eexample/' }, 'clickurl invalid_url'],
    ['click URL to a number in hex', 'cpc', { clickurl: 'https://0x7f.1/' }, 'clickurl invalid_url'],
    [
      'click URL in full-width letters',
      'cpc',
      { clickurl: 'https://\uFF41.example/' },
      'clickurl invalid_url',
    ],
    ['website with a password', 'cpm', { website: 'https://me:it@example.com' }, 'website invalid_url'],
    ['click URL by ftp', 'cpv', { clickurl: 'ftp://a.example' }, 'clickurl invalid_url'],
    ['click URL by script', 'cpc', { clickurl: 'javascript:alert(1)' }, 'clickurl invalid_url'],
    ['no website', 'cpm', { website: '' }, 'website required'],
    ['website without scheme', 'cpm', { website: 'brand.example' }, 'website invalid_url'],
    [
      'website on a domain that a macro names',
      'cpm',
      { website: 'https://{domain}/' },
      'website invalid_url',
    ],
    ['website below such a domain', 'cpm', { website: 'https://www.[BRAND].example' }, 'website invalid_url'],
    ['website as a list if it does not apply', 'cpc', { website: [] }, 'website wrong_type'],
    ['daily budget under the lowest', 'push', { d_revenue: 9.99 }, 'd_revenue out_of_range'],
    ['daily budget 0', 'push', { d_revenue: 0 }, 'd_revenue out_of_range'],
    ['total under the lowest', 'push', { t_revenue: 9.99 }, 't_revenue out_of_range'],
    ['negative total while it is off', 'push', { enable_budget: 0, t_revenue: -1 }, 't_revenue out_of_range'],
    ['budget as text', 'push', { d_revenue: '50' }, 'd_revenue wrong_type'],
    ['flag true', 'push', { enable_budget: true }, 'enable_budget wrong_type'],
    ['flag 2', 'push', { enable_time: 2 }, 'enable_time wrong_type'],
    ['flag as text', 'push', { enable_shedule: '1' }, 'enable_shedule wrong_type'],
    ['no start', 'push', { create: '' }, 'create required'],
    ['no start time', 'push', { create_time: null }, 'create_time required'],
    ['end time alone', 'push', { expire: '' }, 'expire required'],
    ['30 February', 'push', { expire: '2027-02-30' }, 'expire invalid_date'],
    ['29 February of no leap year', 'push', { create: '2026-02-29' }, 'create invalid_date'],
    ['month 13', 'push', { create: '2026-13-01' }, 'create invalid_date'],
    ['date with a time', 'push', { create: '2026-06-01T00:00' }, 'create invalid_date'],
    ['date as a number', 'push', { create: 20260601 }, 'create wrong_type'],
    ['hour 24', 'push', { expire_time: '24:00' }, 'expire_time invalid_time'],
    ['minute 60', 'push', { create_time: '10:60' }, 'create_time invalid_time'],
    ['short time', 'push', { create_time: '9:30' }, 'create_time invalid_time'],
    [
      'end a minute early',
      'push',
      { create_time: '10:00', expire: '2026-06-01', expire_time: '09:59' },
      'expire ends_before_start',
    ],
    ['167 hours', 'push', { shedule: Array<number>(167).fill(1) }, 'shedule invalid_schedule'],
    ['169 hours', 'push', { shedule: Array<number>(169).fill(1) }, 'shedule invalid_schedule'],
    ['an hour of 2', 'push', { shedule: [2, ...Array<number>(167).fill(1)] }, 'shedule invalid_schedule'],
    [
      'an hour as true',
      'push',
      { shedule: [true, ...Array<number>(167).fill(1)] },
      'shedule invalid_schedule',
    ],
    ['hours as text', 'push', { shedule: '1'.repeat(168) }, 'shedule invalid_schedule'],
    [
      'no hours while the schedule is off',
      'push',
      { enable_shedule: 0, shedule: [] },
      'shedule invalid_schedule',
    ],
    ['schedule without zone', 'push', { shedule_timezone: '' }, 'shedule_timezone required'],
    ['unknown zone', 'push', { shedule_timezone: 'Europe/Atlantis' }, 'shedule_timezone invalid_time_zone'],
    ['pacing of 999', 'push', { traffic_speed_counter: 999 }, 'traffic_speed_counter out_of_range'],
    ['pacing of 1000.5', 'push', { traffic_speed_counter: 1000.5 }, 'traffic_speed_counter wrong_type'],
    ['cap of 0', 'push', { freq_counter: 0 }, 'freq_counter out_of_range'],
    ['cap of −1 while it is off', 'push', { freq_cap: 0, freq_counter: -1 }, 'freq_counter out_of_range'],
    ['cap mode as text', 'push', { freq_cap: '1' }, 'freq_cap wrong_type'],
    ['null in a targeting list', 'push', { geo: ['DE', null] }, 'geo wrong_type'],
    ['a country as a number', 'push', { geo: [49] }, 'geo wrong_type'],
    ['blank country', 'push', { geo: [' '] }, 'geo wrong_type'],
    ['a targeting list as text', 'push', { geo: 'DE' }, 'geo wrong_type'],
    ['an object as an OS', 'push', { os: [{ id: 1 }] }, 'os wrong_type'],
    ['exchange 0', 'cpm', { exchanges: [0] }, 'exchanges wrong_type'],
    ['exchange as text', 'cpm', { exchanges: ['3'] }, 'exchanges wrong_type'],
    ['exchange 1.5', 'cpm', { exchanges: [1.5] }, 'exchanges wrong_type'],
    [
      'custom connection for Popunder',
      'popunder',
      { connection_enabled: 0, connection: ['wifi'] },
      'connection not_allowed',
    ],
    [
      'custom traffic type for Popunder',
      'popunder',
      { traffic_type_enabled: 0, traffic_type: ['web'] },
      'traffic_type not_allowed',
    ],
    ['keywords as a list', 'push', { keywords_whitelist: ['a'] }, 'keywords_whitelist wrong_type'],
    ['keyword switch 2', 'push', { keywords_enabled: 2 }, 'keywords_enabled wrong_type'],
    ['bid controls as an object', 'push', { bidControl: {} }, 'bidControl wrong_type'],
    ['bid controls of texts', 'push', { bidControl: ['a'] }, 'bidControl wrong_type'],
    ['bid controls for CPM', 'cpm', { bidControl: [{ id: 1 }] }, 'bidControl not_allowed'],
  ];

  test.each(refused)('%s is refused', (_what, kind, change, failure) => {
    expect(failures(kind, change)).toEqual([failure]);
  });

  test('every listed error code can occur', () => {
    const seen = new Set(refused.map(([, , , failure]) => failure.split(' ')[1]));
    const elsewhere = ['needs_value', 'not_editable', 'unknown_field', 'missing_field'];
    expect(new Set([...seen, ...elsewhere])).toEqual(new Set(fieldErrorCodes));
  });
});

describe('a changed bid of a source has to be within the limits of the type:', () => {
  const rule = { id: 1, field: 'subid', value: '881', bid: 0.06 };
  const source = { source: 'zone-7', bid: 0.06 };
  const base = { ...exampleCampaign('push'), bidControl: [rule, source] };
  test.each<[title: string, controls: JsonValue[], type: number, isRefused: boolean]>([
    ['the lowest', [rule, { ...source, bid: 0.01 }], exampleTypes.push, false],
    ['the highest', [rule, { ...source, bid: 2.5 }], exampleTypes.push, false],
    ['below', [rule, { ...source, bid: 0.009 }], exampleTypes.push, true],
    ['above', [rule, { ...source, bid: 2.501 }], exampleTypes.push, true],
    ['above, in another place', [{ ...source, bid: 2.501 }, rule], exampleTypes.push, true],
    ['by the limits of a drafted type', [rule, { ...source, bid: 2.9 }], exampleTypes.cpc, false],
    ['an unchanged bid, whatever the new type says', [rule, source], exampleTypes.contextual, false],
    [
      'a control of another form, which the service checks',
      [{ ...rule, bid: 60 }, source],
      exampleTypes.push,
      false,
    ],
    ['so is a new one', [rule, source, { source: 'zone-8', bid: 60 }], exampleTypes.push, false],
  ])('%s', (_title, bidControl, type, isRefused) => {
    const found = validateCampaign({ ...base, bidControl, type }, exampleContext(), base, defaultFormats);
    expect(found.map(({ field, code }) => `${field} ${code}`)).toEqual(
      isRefused ? ['bidControl out_of_range'] : [],
    );
  });

  test('the error names the bid and the limits', () => {
    const payload = { ...base, bidControl: [rule, { ...source, bid: 9 }] };
    expect(validateCampaign(payload, exampleContext(), base, defaultFormats)[0]?.message).toBe(
      'Bid controls must be between $0.010 and $2.500: bid $9.000 is not.',
    );
  });
});

describe('custom targeting needs a value if the dimension applies:', () => {
  test.each(targetingDimensions)('$list', ({ flag, list, applies }) => {
    const empty = { [flag]: 0, [list]: [] };
    const needs = [`${list} needs_value`];
    expect(failures('cpm', empty)).toEqual(needs);
    expect(failures('cpc', empty)).toEqual(applies === 'always' ? needs : []);
    expect(failures('popunder', empty)).toEqual(applies === 'cpm-not-popunder' ? [] : needs);
    expect(failures('cpm', { [flag]: 1, [list]: [] })).toEqual([]);
  });
});

describe('the tenant’s switches apply to changes and not to stored values:', () => {
  test('a changed click URL if it may not be edited', () => {
    const context = settings({ edit_clickurl: false });
    expect(failures('cpc', { clickurl: 'https://other.example' }, context)).toEqual([
      'clickurl not_editable',
    ]);
    expect(failures('cpc', { clickurl: '' }, context)).toEqual(['clickurl required']);
    expect(failures('cpm', { clickurl: 'https://other.example' }, context)).toEqual([
      'clickurl not_editable',
    ]);
    expect(failures('cpc', { name: 'x' }, context)).toEqual([]);
  });

  test('a type that needs a click URL if it may not be set', () => {
    const context = settings({ edit_clickurl: false });
    const toCpc = { type: exampleTypes.cpc, payout: 0.08 };
    expect(failures('cpm', { ...toCpc, bidControl: [] }, context)).toEqual(['type not_allowed']);
    const set = { ...toCpc, clickurl: 'https://other.example' };
    expect(failures('cpm', set, context)).toEqual(['type not_allowed']);
    expect(failures('push', { type: exampleTypes.cpc }, context)).toEqual([]);
  });

  test('frequency cap and pacing', () => {
    const context = settings({ enable_freq_cap: false, enable_traffic_speed: false });
    expect(failures('push', {}, context)).toEqual([]);
    expect(failures('push', { freq_cap: 0, traffic_speed: 0 }, context)).toEqual([]);
    expect(failures('push', { freq_cap: 2 }, context)).toEqual(['freq_cap not_allowed']);
    expect(failures('push', { traffic_speed: 2 }, context)).toEqual(['traffic_speed not_allowed']);
  });

  test('bid controls', () => {
    const context = settings({ enable_bidcontrol: false });
    expect(failures('push', { payout: 0.05 }, context)).toEqual([]);
    expect(failures('push', { bidControl: [{ id: 2 }] }, context)).toEqual(['bidControl not_allowed']);
    expect(failures('push', { type: exampleTypes.cpc }, context)).toEqual(['bidControl not_allowed']);
  });

  test('the minimum budget of another tenant', () => {
    expect(failures('push', { d_revenue: 24.99 }, settings({ min_budget: 25 }))).toEqual([
      'd_revenue out_of_range',
    ]);
    expect(failures('push', { d_revenue: 0 }, settings({ min_budget: 0 }))).toEqual([]);
  });
});

describe('the form of fields that do not apply is left to the service while they are unchanged:', () => {
  const off = { enable_freq_cap: false, enable_traffic_speed: false, enable_bidcontrol: false };
  const stored = (kind: ExampleKind, change: JsonObject, without: string[] = []): JsonObject => {
    const base = { ...exampleCampaign(kind), freq_cap: 0, freq_counter: 0, ...change };
    return Object.fromEntries(Object.entries(base).filter(([field]) => !without.includes(field)));
  };
  const cpmLists = targetingDimensions.filter(({ applies }) => applies !== 'always');

  test.each<[string, JsonObject, JsonObject, string[]]>([
    ['no frequency cap', stored('cpc', {}, ['freq_cap', 'freq_counter']), {}, []],
    ['no pacing', stored('cpc', {}, ['traffic_speed', 'traffic_speed_counter']), {}, []],
    ['no bid controls', stored('cpc', {}, ['bidControl']), {}, []],
    [
      'no lists of CPM',
      stored(
        'cpc',
        {},
        cpmLists.flatMap(({ flag, list }) => [flag, list]),
      ),
      {},
      [],
    ],
    ['a counter of null while it is off', stored('cpc', { freq_counter: null }), {}, []],
    [
      'the same, and the cap is switched on',
      stored('cpc', { freq_counter: null }),
      { freq_cap: 1 },
      ['freq_counter wrong_type', 'freq_cap not_allowed'],
    ],
    ['keywords of null', stored('cpc', { keywords_whitelist: null, keywords_blocklist: null }), {}, []],
    [
      'the same, and they are switched on',
      stored('cpc', { keywords_enabled: 0, keywords_whitelist: null, keywords_blocklist: '' }),
      { keywords_enabled: 1 },
      ['keywords_whitelist wrong_type'],
    ],
    [
      'a start with seconds',
      stored('cpc', {
        enable_time: 1,
        create: '2026-11-01',
        create_time: '00:00:00',
        expire: '',
        expire_time: '',
      }),
      {},
      [],
    ],
    [
      'the same, and it is changed',
      stored('cpc', {
        enable_time: 1,
        create: '2026-11-01',
        create_time: '00:00:00',
        expire: '',
        expire_time: '',
      }),
      { create_time: '00:00:01' },
      ['create_time invalid_time'],
    ],
    [
      'no start while the window is on',
      stored('cpc', { enable_time: 1, create: '', create_time: '09:00', expire: '', expire_time: '' }),
      {},
      ['create required'],
    ],
    ['another flag of the window', stored('cpc', { enable_time: true }), {}, ['enable_time wrong_type']],
    [
      'no lists of CPM, and the type becomes CPM',
      stored('cpc', { website: 'https://example.com', bidControl: [] }, ['categories_enabled', 'categories']),
      { type: exampleTypes.cpm, payout: 0.5 },
      ['categories_enabled required', 'categories required'],
    ],
  ])('%s', (_title, base, change, expected) => {
    const failed = validateCampaign(
      { ...base, payout: 0.09, ...change },
      settings(off),
      base,
      defaultFormats,
    );
    expect(failed.map(({ field, code }) => `${field} ${code}`)).toEqual(expected);
  });
});

describe('the payload must have exactly the fields of the stored campaign:', () => {
  test.each(Object.keys(exampleCampaign('push')))('without %s', (field) => {
    const base = exampleCampaign('push');
    const { [field]: _gone, ...partial } = base;
    expect(validateCampaign(partial, exampleContext(), base, defaultFormats)).toMatchObject([
      { field, code: 'missing_field' },
    ]);
  });

  test('with a field that the campaign does not have', () => {
    expect(failures('push', { balance: 1 })).toEqual(['balance unknown_field']);
    expect(failures('push', JSON.parse('{"toString":1,"constructor":2}') as JsonObject)).toHaveLength(2);
  });

  test('with thousands of additional fields, a hundred are named and the rest is counted', () => {
    const surprises = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`field_${at}`, 1]));
    const base = exampleCampaign('push');
    const named = validateCampaign({ ...base, ...surprises }, exampleContext(), base, defaultFormats);
    expect(named).toHaveLength(101);
    expect(named.at(-1)?.message).toContain('2,900 more');
    const missing = validateCampaign(base, exampleContext(), { ...base, ...surprises }, defaultFormats);
    expect(missing).toHaveLength(101);
    expect(missing.at(-1)).toMatchObject({ code: 'missing_field' });
  });

  test.each([
    [1, 'have 1 more field that was sent.', /^1 more field is missing\./],
    [2, 'have 2 more fields that were sent.', /^2 more fields are missing\./],
  ])('with %d additional fields beyond the named ones, the rest is counted', (more, unknown, missing) => {
    const surprises = Object.fromEntries(Array.from({ length: 100 + more }, (_, at) => [`field_${at}`, 1]));
    const base = exampleCampaign('push');
    const all = { ...base, ...surprises };
    expect(validateCampaign(all, exampleContext(), base, defaultFormats).at(-1)?.message).toContain(unknown);
    expect(validateCampaign(base, exampleContext(), all, defaultFormats).at(-1)?.message).toMatch(missing);
  });

  test('with a very long field name, the message shortens it', () => {
    const base = exampleCampaign('push');
    const [failure] = validateCampaign(
      { ...base, ['😀'.repeat(5_000)]: 1 },
      exampleContext(),
      base,
      defaultFormats,
    );
    expect(failure?.message).toContain(`“${'😀'.repeat(80)}” (the first 80 of 5,000 characters)`);
  });

  test('from a list row, every missing field is named at once', () => {
    const base = exampleCampaign('push');
    const row = { cid: 1042, uid: 7, name: 'x', type_name: 'CPC Push' };
    const named = validateCampaign(row, exampleContext(), base, defaultFormats).map(({ field }) => field);
    expect(named).toContain('type_name');
    expect(named.length).toBe(Object.keys(base).length - 3 + 1);
  });
});

test('a schedule of an unknown form may stay but not change', () => {
  const base = { ...exampleCampaign('push'), shedule: { mon: '9-17' } };
  const context = exampleContext();
  expect(validateCampaign({ ...base, payout: 0.05 }, context, base, defaultFormats)).toEqual([]);
  expect(
    validateCampaign({ ...base, shedule: { mon: '9-18' } }, context, base, defaultFormats),
  ).toMatchObject([{ field: 'shedule' }]);
});

test('a type of unknown kind enforces no rule of any kind', () => {
  expect(
    failures('other', { title: null, icon: null, clickurl: '', website: '', lang_enabled: 0, lang: [] }),
  ).toEqual([]);
});

test('two invalid fields are each named once', () => {
  expect(failures('push', { payout: 99, name: '' })).toEqual(['name required', 'payout out_of_range']);
});

describe('validation never fails, whatever the JSON', () => {
  const fields = Object.keys(exampleCampaign('push'));
  const anyJson = fc.jsonValue({ depthSize: 'small' }) as fc.Arbitrary<JsonValue>;

  test('of two arbitrary objects', () => {
    const objects = fc.dictionary(
      fc.oneof(fc.constantFrom(...fields), fc.string()),
      anyJson,
    ) as fc.Arbitrary<JsonObject>;
    fc.assert(
      fc.property(objects, objects, (payload, base) => {
        expect(Array.isArray(validateCampaign(payload, exampleContext(), base, defaultFormats))).toBe(true);
      }),
      runs(500),
    );
  });

  test('of a campaign with replaced fields, and it names only existing fields, each once', () => {
    const changes = fc.dictionary(fc.constantFrom(...fields), anyJson, {
      maxKeys: 4,
    }) as fc.Arbitrary<JsonObject>;
    fc.assert(
      fc.property(fc.constantFrom(...kinds), changes, (kind, change) => {
        const base = exampleCampaign(kind);
        const named = validateCampaign({ ...base, ...change }, exampleContext(), base, defaultFormats).map(
          ({ field }) => field,
        );
        expect(new Set(named).size).toBe(named.length);
        for (const field of named) expect(fields).toContain(field);
      }),
      runs(1000),
    );
  });
});
