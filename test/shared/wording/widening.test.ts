import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Warning } from '#shared/wording/index.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { assessed } from '#test/fixtures/assessed.ts';
import { exampleCampaign, type ExampleKind } from '#test/fixtures/campaign.ts';

const assess = (before: JsonObject, change: JsonObject) => assessed(before, { ...before, ...change });

const worth = ({ severity }: Warning): boolean => severity !== 'notice';

/** Returns warnings and dangers as `severity code`. */
function marks(before: JsonObject, change: JsonObject): string[] {
  return assess(before, change)
    .warnings.filter(worth)
    .map(({ severity, code }) => `${severity} ${code}`);
}

const example = exampleCampaign('push');
const week = (on: number): number[] => Array.from({ length: 168 }, (_hour, index) => (index < on ? 1 : 0));
const countries = (count: number): string[] => Array.from({ length: count }, (_entry, index) => `C${index}`);
const lines = (count: number): string => countries(count).join('\n');
const icon = (url: string): JsonObject => ({ icon: { url, width: 192, height: 192 } });
const bidControl = (...bids: number[]): JsonValue[] =>
  bids.map((bid, index) => ({ id: index + 1, field: 'subid', value: '881', bid }));

describe('a change that lets a campaign run when it could not is marked:', () => {
  test.each([
    [
      'hours from none to nearly all of the week',
      { shedule: week(0) },
      { shedule: week(167) },
      ['danger schedule_wiped', 'warning spends_again'],
    ],
    [
      'hours from none to one',
      { shedule: week(0) },
      { shedule: week(1) },
      ['warning spends_again', 'warning schedule_widened'],
    ],
    ['hours from 84 to 167', { shedule: week(84) }, { shedule: week(167) }, ['danger schedule_wiped']],
    ['hours from 12 to 24', { shedule: week(12) }, { shedule: week(24) }, ['warning schedule_widened']],
    ['hours from 12 to 23', { shedule: week(12) }, { shedule: week(23) }, []],
    ['hours from 160 to all', { shedule: week(160) }, { shedule: week(168) }, ['warning schedule_widened']],
    [
      'the same number of other hours',
      { shedule: week(12) },
      { shedule: week(24).map((on, hour) => (hour < 12 ? 0 : on)) },
      ['warning schedule_widened'],
    ],
    ['hours of another zone', {}, { shedule_timezone: 'Asia/Tokyo' }, ['warning schedule_zone_changes']],
    [
      'a start from 2031 to today',
      { create: '2031-01-01', expire: '', t_revenue: 2050 },
      { create: '2026-11-20' },
      ['warning starts_earlier'],
    ],
    [
      'a start from 2031 to today without budget limits',
      { enable_budget: 0, create: '2031-01-01', expire: '' },
      { create: '2026-11-20' },
      ['danger exposure_unlimited', 'warning starts_earlier'],
    ],
    [
      'a start a few days earlier without budget limits',
      { enable_budget: 0, create: '2026-11-25' },
      { create: '2026-11-23' },
      ['warning starts_earlier'],
    ],
    ['more hours without budget limits', { enable_budget: 0, shedule: week(72) }, { shedule: week(100) }, []],
    ['a start that is past', { create: '2026-11-01' }, { create: '2026-10-01' }, []],
    [
      'a flight that is switched off, with its start and its end',
      { create: '2031-01-01', expire: '2031-02-01' },
      { enable_time: 0 },
      ['danger end_removed', 'warning starts_earlier'],
    ],
    ['a removed end with a total budget', {}, { expire: '', expire_time: '' }, ['danger end_removed']],
    [
      'an end in a hundred years with a total budget',
      {},
      { expire: '2126-12-31' },
      ['warning flight_extended'],
    ],
    ['an end a few days later', {}, { expire: '2027-01-03' }, []],
    [
      'a finished flight extended by ten years',
      { expire: '2026-11-19', t_revenue: 0 },
      { expire: '2036-11-20' },
      ['warning spends_again', 'warning flight_revived'],
    ],
    [
      'a finished flight without budget limits',
      { expire: '2026-11-19', enable_budget: 0 },
      { expire: '2036-11-20' },
      ['danger exposure_unlimited', 'warning flight_revived'],
    ],
    [
      'the same while paused',
      { status: 3, expire: '2026-11-19' },
      { expire: '2036-11-20' },
      ['warning flight_revived'],
    ],
  ] as [string, JsonObject, JsonObject, string[]][])('%s', (_what, campaign, change, expected) => {
    expect(marks({ ...example, ...campaign }, change)).toEqual(expected);
  });
});

describe('a change that allows more traffic is marked:', () => {
  test.each([
    ['countries from 1 to 240', { geo: ['DE'] }, { geo: countries(240) }, ['danger list_tenfold']],
    ['countries from 1 to 2', { geo: ['DE'] }, { geo: ['DE', 'FR'] }, ['warning list_grows']],
    ['countries from 3 to 5', {}, { geo: ['DE', 'FR', 'IT', 'ES', 'PT'] }, []],
    ['countries from all to some', { geo_enabled: 1, geo: [] }, { geo_enabled: 0, geo: countries(200) }, []],
    ['few countries to all', {}, { geo_enabled: 1, geo: [] }, ['danger worldwide']],
    ['many countries to all', { geo: countries(30) }, { geo_enabled: 1, geo: [] }, ['danger worldwide']],
    ['a flag that is no flag', {}, { geo_enabled: 2 }, ['warning targeting_unknown']],
    ['one bid control times a thousand', {}, { bidControl: bidControl(60) }, ['danger bid_control_tenfold']],
    ['a bid control more', {}, { bidControl: bidControl(0.06, 99) }, ['warning bid_controls']],
    ['a bid control by a hair', {}, { bidControl: bidControl(0.061) }, ['warning bid_controls']],
    ['half of a block list', {}, { ip_blocklist: ['203.0.113.7'] }, ['danger block_list_shrinks']],
    ['a block list of one word', {}, { ip_blocklist: ['x'] }, ['danger block_list_shrinks']],
    ['a block list of a space', {}, { ip_blocklist: [' '] }, ['danger block_list_shrinks']],
    [
      'a block list that becomes a text',
      {},
      { ip_blocklist: '' },
      ['danger block_list_shrinks', 'warning field_unknown'],
    ],
    [
      'half of a text',
      { keywords_blocklist: lines(4) },
      { keywords_blocklist: lines(2) },
      ['danger block_list_shrinks'],
    ],
    ['a text emptied', {}, { keywords_blocklist: '' }, ['danger block_list_shrinks']],
    ['a text of a space', {}, { keywords_blocklist: ' ' }, ['danger block_list_shrinks']],
    ['a text of one word', {}, { keywords_blocklist: 'x' }, ['danger block_list_shrinks']],
    [
      'a text by words',
      { keywords_blocklist: 'a b c d' },
      { keywords_blocklist: 'a b' },
      ['danger block_list_shrinks'],
    ],
    [
      'a text with commas under an unknown name',
      { ssp_deny: 'a,b,c,d' },
      { ssp_deny: 'a,b' },
      ['danger block_list_shrinks'],
    ],
    [
      'a list within an object',
      { filters: { domains: { blacklist: ['a', 'b', 'c', 'd'] } } },
      { filters: { domains: { blacklist: ['a'] } } },
      ['danger block_list_shrinks', 'warning field_unknown'],
    ],
    ['an allow list emptied', { site_whitelist: ['a'] }, { site_whitelist: [] }, ['warning list_shrinks']],
    [
      'an allow list doubled',
      { site_whitelist: ['a'] },
      { site_whitelist: ['a', 'b'] },
      ['warning list_grows'],
    ],
    ['a new allow list', {}, { domain_whitelist: ['a'] }, []],
    ['a block list doubled', {}, { ip_blocklist: ['203.0.113.7', '198.51.100.0/24', 'a', 'b'] }, []],
    ['keywords switched off', { keywords_enabled: 1 }, { keywords_enabled: 0 }, ['warning keywords_off']],
    ['pacing off', {}, { traffic_speed: 0 }, ['warning pacing_off']],
    ['pacing twice as fast', {}, { traffic_speed_counter: 10_000 }, ['warning pacing_loosened']],
    [
      'pacing a thousand times as fast',
      {},
      { traffic_speed_counter: 5_000_000 },
      ['warning pacing_loosened'],
    ],
    ['pacing by another mode', {}, { traffic_speed: 2 }, ['warning pacing_mode']],
    ['pacing that was off', { traffic_speed: 0 }, { traffic_speed_counter: 5_000_000 }, []],
    ['slower pacing', {}, { traffic_speed_counter: 1000 }, []],
    ['frequency cap off', {}, { freq_cap: 0 }, ['warning frequency_cap_off']],
    ['frequency cap loosened', {}, { freq_counter: 6 }, ['warning frequency_cap_loosened']],
    ['an unknown field', { x_mode: { to: 1 } }, { x_mode: { to: 2 } }, ['warning field_unknown']],
    ['an unknown number', { x_limit: 1 }, { x_limit: 1000 }, ['warning field_unknown']],
  ] as [string, JsonObject, JsonObject, string[]][])('%s', (_what, campaign, change, expected) => {
    expect(marks({ ...example, ...campaign }, change)).toEqual(expected);
  });

  test('a slightly looser frequency cap and an unknown text field are notices', () => {
    const all = (change: JsonObject, campaign: JsonObject = {}): string[] =>
      assess({ ...example, ...campaign }, change).warnings.map(({ severity, code }) => `${severity} ${code}`);
    expect(all({ freq_counter: 4 })).toEqual(['notice frequency_cap_higher']);
    expect(all({ x_note: 'b' }, { x_note: 'a' })).toEqual(['notice text_unknown']);
    expect(all({ create_time: '08:00' }, { create: '2031-01-01', create_time: '09:00', expire: '' })).toEqual(
      ['notice starts_earlier_today'],
    );
  });
});

describe('a changed host in any address is marked:', () => {
  const clicks = (clickurl: string): JsonObject => ({ clickurl });
  test.each([
    ['the click URL', {}, clicks('https://evil.example/c')],
    ['a host behind a name', {}, clicks('https://track.example@evil.example/')],
    ['a host behind a backslash', {}, clicks('https://evil.example\\@track.example/')],
    ['an address without a scheme', {}, clicks('//evil.example/c')],
    ['another scheme', {}, clicks('javascript:void(0)')],
    ['nowhere', {}, clicks('')],
    ['a click URL that was empty', clicks(''), clicks('https://evil.example/c')],
    ['another port', {}, clicks('https://track.example:8443/c?cid={click_id}&src=[SOURCE]')],
    [
      'an address inside an address',
      clicks('https://track.example/c?to=https://brand.example/'),
      clicks('https://track.example/c?to=https://evil.example/'),
    ],
    [
      'an escaped address inside an address',
      clicks('https://track.example/c?to=https%3A%2F%2Fbrand.example%2F'),
      clicks('https://track.example/c?to=https%3A%2F%2Fevil.example%2F'),
    ],
    [
      'both hosts in another order',
      clicks('https://track.example/c?to=https://brand.example/'),
      clicks('https://brand.example/c?to=https://track.example/'),
    ],
    ...[
      'https:evil.example/',
      'https:/evil.example/',
      'https:\\\\evil.example/',
      'https:///evil.example/',
      'https%3Aevil.example',
      '/\\evil.example/',
      'evil.example',
      '',
    ].map((to): [string, JsonObject, JsonObject] => [
      `${to === '' ? 'no address' : to} within an address`,
      clicks('https://track.example/c?to=https://brand.example/'),
      clicks(`https://track.example/c?to=${to}`),
    ]),
    [
      'a host behind many characters of a name',
      { website: 'https://brand.example/' },
      { website: `https://brand.example:${'0'.repeat(400)}@evil.example/` },
    ],
    [
      'a host in an address that a browser reads without its line break',
      icon('https://img.example/a.png'),
      icon('https://img.example\t@evil.example/a.png'),
    ],
    [
      'a host added before the old host',
      icon('https://img.example/a.png'),
      icon('https:evil.example/?a=https://img.example/a.png'),
    ],
    ['the icon', {}, icon('https://evil.example/icon.png')],
    ['the image', {}, { image: { url: 'https://evil.example/main.png', width: 492, height: 328 } }],
    ['the website', { website: 'https://brand.example' }, { website: 'https://evil.example' }],
    ['a description', {}, { description: 'See https://evil.example' }],
    [
      'an unknown field, deep within',
      { x_extra: { pixels: [{ url: 'https://brand.example/p' }] } },
      { x_extra: { pixels: [{ url: 'https://evil.example/p' }] } },
    ],
  ] as [string, JsonObject, JsonObject][])('%s', (_what, campaign, change) => {
    const found = marks({ ...example, ...campaign }, change);
    const ofHosts = found.filter((mark) => /destination_changes|host_changes/.test(mark));
    const goesElsewhere = Object.keys(change).some((field) => field === 'clickurl' || field === 'website');
    expect(ofHosts).toHaveLength(1);
    // Changes of other fields only name their hosts; a change that keeps both addresses does not change the
    // destination.
    if (!goesElsewhere) expect(ofHosts).toEqual(['warning host_changes']);
  });

  test.each([
    ['another host', 'https://evil.example/c', 'evil.example'],
    ['a look-alike, typed in ASCII', 'https://trаck.example/c', 'xn--trck-63d.example'],
    ['a host moved to the first place', 'https://evil.example/?u=https://track.example/c', 'evil.example'],
    ['an address that no one would type', `https://${'a'.repeat(60)}.example/c`, '1042'],
  ])('%s is a danger, and its host has to be typed', (_what, clickurl, typed) => {
    const { warnings, typeToConfirm } = assess(example, { clickurl });
    expect(warnings[0]).toMatchObject({ code: 'destination_changes', severity: 'danger' });
    expect(typeToConfirm?.value).toBe(typed);
  });

  test('a removed address is a warning', () => {
    expect(marks(example, { clickurl: '' })).toContain('warning host_changes');
  });

  test('another path on the same host is not marked', () => {
    expect(marks(example, clicks(`${String(example['clickurl'])}&d=1`))).toEqual([]);
    expect(marks(example, icon('https://img.example/other.png'))).toEqual([]);
  });
});

test('the most dangerous change is the headline, unless a change of money is', () => {
  const headline = (change: JsonObject, campaign: JsonObject = {}) =>
    assess({ ...example, ...campaign }, change).headline;
  expect(headline({ geo_enabled: 1, geo: [] })).toEqual({
    label: 'Countries',
    before: '3 countries (DE, FR, IT)',
    after: 'Worldwide',
  });
  expect(headline({ clickurl: 'https://evil.example' })).toEqual({
    label: 'Click URL',
    before: 'track.example',
    after: 'evil.example',
  });
  expect(headline({ shedule: week(1) }, { shedule: week(0) })).toBeNull();
  expect(headline({ shedule: week(167) })).toEqual({
    label: 'Hours a week',
    before: '84 of 168',
    after: '167 of 168',
    delta: '+83 h',
  });
  expect(headline({ expire: '', expire_time: '' })).toEqual({
    label: 'Last day',
    before: '31 Dec 2026',
    after: 'No end',
  });
  expect(headline({ payout: 0.45, expire: '' })).toBeNull();
  expect(headline({ payout: 0.05 })).toBeNull();
});

test('a harmless change is its own headline, instead of money that does not change', () => {
  const headline = (change: JsonObject) => assess(example, change).headline;
  expect(headline({ name: 'Another' })).toEqual({
    label: 'Name',
    before: 'DE push – summer',
    after: 'Another',
    isQuiet: true,
  });
  expect(headline({ geo: ['DE', 'FR'] })).toEqual({
    label: 'Countries',
    before: '3 countries',
    after: '2 countries',
    isQuiet: true,
    delta: '− IT',
  });
  expect(headline({ clickurl: 'https://track.example/c?id={click_id}&c={cid}' })).toMatchObject({
    label: expect.stringContaining('Click URL') as string,
  });
});

test('a raise by less than half is shown, but not as the largest text on the page', () => {
  const raised = { ...example, d_revenue: 5000, t_revenue: 0 };
  expect(assess(raised, { d_revenue: 6200 }).headline).toMatchObject({ after: '$6,200.00', isQuiet: true });
  expect(assess(raised, { d_revenue: 7500 }).headline).not.toHaveProperty('isQuiet');
  expect(assess(example, { bidControl: bidControl(0.061) }).headline).toHaveProperty('isQuiet', true);
});

test('the address of a new picture is not the headline, because the picture itself is shown', () => {
  const at = (host: string, name: string): JsonObject => ({ url: `https://${host}/${name}.png` });
  const icon = at('img.example', 'second');
  const headline = (change: JsonObject) =>
    assess({ ...example, icon: at('img.example', 'first'), image: at('img.example', 'main') }, change)
      .headline;
  expect(headline({ icon })).toBeNull();
  expect(headline({ icon, image: at('img.example', 'third'), name: 'Another', title: 'New' })).toBeNull();
  expect(headline({ icon, geo: ['DE', 'FR'] })).toMatchObject({ label: 'Countries' });
  expect(headline({ icon: at('elsewhere.example', 'second') })).toMatchObject({ label: 'Icon' });
});

/** For every example and status, each change either makes the campaign target more, or is not possible. */
const kinds: ExampleKind[] = ['push', 'contextual', 'popunder', 'cpc', 'cpv', 'cpm'];
const list = (least: number) =>
  fc.uniqueArray(fc.stringMatching(/^[a-z]{3,8}$/), { minLength: least, maxLength: 40 });
const filterName = fc.constantFrom(
  'ip_blocklist',
  'domain_blacklist',
  'publisher_deny',
  'ssp_exclude',
  'carrier_block_list',
  'bundle_ignore',
);
const allowName = fc.constantFrom('site_whitelist', 'app_allow_list', 'domain_include', 'keywords_whitelist');
const selector = fc.constantFrom('geo', 'os', 'browsers', 'devices', 'exchanges', 'lang');

const widenings: Record<string, fc.Arbitrary<[JsonObject, JsonObject]>> = {
  'a selector that doubles': fc
    .tuple(selector, list(2))
    .map(([name, all]) => [
      { [`${name}_enabled`]: 0, [name]: all.slice(0, Math.floor(all.length / 2)) },
      { [name]: all },
    ]),
  'a selector that gives way to all': fc
    .tuple(selector, list(1), fc.boolean())
    .map(([name, all, emptied]) => [
      { [`${name}_enabled`]: 0, [name]: all },
      { [`${name}_enabled`]: 1, [name]: emptied ? [] : all },
    ]),
  'a block list that loses half': fc
    .tuple(filterName, list(1), fc.boolean(), fc.constantFrom('\n', ',', ', ', '\r\n', ';'), list(0))
    .map(([name, all, asText, mark, fresh]) => {
      const kept = [
        ...all.slice(0, Math.floor(all.length / 2)),
        ...fresh.filter((one) => !all.includes(one)),
      ];
      return asText
        ? [{ [name]: all.join(mark) }, { [name]: kept.join(mark) }]
        : [{ [name]: all }, { [name]: kept }];
    }),
  'a list that is replaced by a word or a space': fc
    .tuple(fc.oneof(filterName, allowName), list(1), fc.boolean(), fc.constantFrom('', ' ', 'zz', '\n', ','))
    .map(([name, all, asText, now]) =>
      asText
        ? [{ [name]: all.join('\n') }, { [name]: now }]
        : [{ [name]: all }, { [name]: now === '' ? [] : [now] }],
    ),
  'an allow list that doubles': fc.tuple(allowName, list(2), fc.boolean()).map(([name, all, asText]) => {
    const half = all.slice(0, Math.floor(all.length / 2));
    return asText
      ? [{ [name]: half.join('\n') }, { [name]: all.join('\n') }]
      : [{ [name]: half }, { [name]: all }];
  }),
  'hours that double': fc
    .tuple(fc.uniqueArray(fc.nat(167), { maxLength: 84 }), fc.uniqueArray(fc.nat(167), { minLength: 1 }))
    .filter(([had, more]) => more.filter((hour) => !had.includes(hour)).length >= had.length)
    .map(([had, more]) => [{ shedule: weekOf(had) }, { shedule: weekOf([...had, ...more]) }]),
  'a schedule that is switched off': fc
    .uniqueArray(fc.nat(167), { maxLength: 167 })
    .map((had) => [{ shedule: weekOf(had) }, { enable_shedule: 0 }]),
  'a start that moves to an earlier day': fc
    .tuple(fc.integer({ min: 1, max: 5000 }), fc.nat(6000))
    .map(([from, by]) => [
      { enable_time: 1, create: dateIn(from), create_time: '00:00', expire: '', expire_time: '' },
      { create: dateIn(from - by - 1) },
    ]),
  'an end that moves far out or goes': fc
    .tuple(fc.integer({ min: -40, max: 2000 }), fc.option(fc.integer({ min: 7, max: 40_000 })))
    .map(([remaining, more]) => [
      { enable_time: 1, create: '2026-01-01', expire: dateIn(remaining), expire_time: '23:59' },
      more === null
        ? { expire: '', expire_time: '' }
        : { expire: dateIn(Math.max(remaining, 0) * 2 + more + 1), expire_time: '23:59' },
    ]),
  'bid controls of any kind': fc
    .tuple(fc.array(fc.jsonValue(), { maxLength: 3 }), fc.array(fc.jsonValue(), { maxLength: 3 }))
    .filter(([from, to]) => JSON.stringify(from) !== JSON.stringify(to))
    .map(([from, to]) => [{ bidControl: from as JsonValue }, { bidControl: to as JsonValue }]),
  'a brake that is released or let out': fc
    .tuple(
      fc.constantFrom(['freq_cap', 'freq_counter'], ['traffic_speed', 'traffic_speed_counter']),
      fc.integer({ min: 1, max: 100_000 }),
      fc.option(fc.integer({ min: 2, max: 1000 })),
    )
    .map(([[mode = '', counter = ''], count, times]) => [
      { [mode]: 1, [counter]: count },
      times === null ? { [mode]: 0 } : { [counter]: count * times },
    ]),
  'a budget that is ten times as high, or none': fc
    .tuple(
      fc.constantFrom('d_revenue', 't_revenue'),
      fc.integer({ min: 1, max: 10_000 }),
      fc.option(fc.integer({ min: 10, max: 100 })),
    )
    .map(([name, amount, times]) => [
      { enable_budget: 1, [name]: amount },
      { [name]: times === null ? 0 : amount * times },
    ]),
  'a bid that doubles': fc
    .tuple(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 2, max: 1000 }))
    .map(([thousandths, times]) => [
      { payout: thousandths / 1000 },
      { payout: (thousandths * times) / 1000 },
    ]),
  'another host somewhere': fc
    .tuple(
      fc.constantFrom('clickurl', 'website', 'x_pixel', 'x_deep'),
      fc.domain(),
      fc.domain(),
      fc.webPath(),
    )
    .filter(([, from, to]) => from !== to)
    .map(([name, from, to, path]) => {
      const at = (host: string): JsonValue =>
        name === 'x_deep' ? { any: [{ url: `https://${host}${path}` }] } : `https://${host}${path}`;
      return [{ [name]: at(from) }, { [name]: at(to) }];
    }),
};

function weekOf(hours: readonly number[]): number[] {
  return Array.from({ length: 168 }, (_hour, index) => (hours.includes(index) ? 1 : 0));
}

function dateIn(days: number): string {
  return new Date(Date.UTC(2026, 10, 20) + days * 86_400_000).toISOString().slice(0, 10);
}

describe('a change that allows more traffic is always marked, whatever the campaign and its status:', () => {
  test.each(Object.entries(widenings))('%s', (_what, pair) => {
    fc.assert(
      fc.property(
        pair,
        fc.constantFrom(...kinds),
        fc.constantFrom(0, 1, 2, 3, 4),
        ([from, to], kind, status) => {
          const before = { ...exampleCampaign(kind), ...from, status };
          expect(marks(before, to)).not.toEqual([]);
        },
      ),
    );
  });

  test('two such changes together', () => {
    const any = fc.constantFrom(...Object.values(widenings)).chain((pair) => pair);
    fc.assert(
      fc.property(any, any, fc.constantFrom(1, 3), ([from, to], [otherFrom, otherTo], status) => {
        fc.pre(
          Object.keys({ ...from, ...to }).every((field) => !(field in otherFrom) && !(field in otherTo)),
        );
        const before = { ...example, ...from, ...otherFrom, status };
        expect(marks(before, { ...to, ...otherTo }).length).toBeGreaterThanOrEqual(1);
      }),
    );
  });
});
