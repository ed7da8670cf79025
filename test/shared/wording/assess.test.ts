import { describe, expect, test } from 'vitest';
import { changeInWords } from '#shared/wording/index.ts';
import { diffCampaigns, fieldLabel } from '#shared/campaign/index.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { assessed } from '#test/fixtures/assessed.ts';
import { exampleCampaign, exampleContext } from '#test/fixtures/campaign.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

const example = exampleCampaign('push');
const week = (on: number): number[] => Array.from({ length: 168 }, (_hour, index) => (index < on ? 1 : 0));

const assess = (change: JsonObject, campaign: JsonObject = example) =>
  assessed(campaign, { ...campaign, ...change });

/** Returns the warnings as `severity code`. */
function warnings(change: JsonObject, campaign: JsonObject = example): string[] {
  return assess(change, campaign).warnings.map(({ severity, code }) => `${severity} ${code}`);
}

describe('the warnings of a change to a campaign:', () => {
  test.each([
    ['a bid a little higher', { payout: 0.0899 }, []],
    ['a bid twice as high', { payout: 0.09 }, ['warning bid_doubled']],
    ['a bid almost ten times as high', { payout: 0.4499 }, ['warning bid_doubled']],
    ['a bid ten times as high', { payout: 0.45 }, ['danger decimal_slip', 'danger bid_tenfold']],
    ['a bid more than ten times as high', { payout: 0.46 }, ['danger bid_tenfold']],
    ['a bid a hundred times as high', { payout: 4.5 }, ['danger decimal_slip', 'danger bid_tenfold']],
    ['a bid a thousandth as high', { payout: 0.000045 }, ['warning decimal_slip_down']],
    ['a lower bid', { payout: 0.01 }, []],
    ['a daily budget twice as high', { d_revenue: 100 }, ['warning per_day_doubled']],
    [
      'a daily budget ten times as high',
      { d_revenue: 500 },
      ['danger decimal_slip', 'danger per_day_tenfold'],
    ],
    ['a daily budget a tenth as high', { d_revenue: 5 }, ['warning decimal_slip_down']],
    ['a daily budget more than ten times as high', { d_revenue: 510 }, ['danger per_day_tenfold']],
    ['a daily budget under a lower total', { d_revenue: 5100, t_revenue: 60 }, ['danger budget_tenfold']],
    ['no budget limits', { enable_budget: 0 }, ['danger exposure_unlimited']],
    [
      'no total and no end',
      { t_revenue: 0, enable_time: 0 },
      ['danger end_removed', 'warning until_end_unlimited'],
    ],
    ['no total but an end', { t_revenue: 0 }, ['warning total_limit_removed']],
    [
      'no daily budget but a total',
      { d_revenue: 0 },
      ['danger per_day_tenfold', 'danger daily_limit_removed'],
    ],
    [
      'the money until the end twice as high',
      { t_revenue: 4100, expire: '2027-12-31' },
      ['warning until_end_doubled', 'warning flight_extended'],
    ],
    ['a total budget under twice as high', { t_revenue: 2099 }, []],
    ['all countries', { geo_enabled: 1 }, ['danger worldwide']],
    ['all device types', { devices_enabled: 1 }, ['warning targeting_widened']],
    ['less than half of a list removed', { geo: ['DE', 'FR'] }, []],
    ['a block list emptied', { ip_blocklist: [] }, ['danger block_list_shrinks']],
    ['most of a list removed', { geo: ['IT'] }, ['warning list_shrinks']],
    ['most of a list replaced', { geo: ['US', 'CA', 'IT'] }, ['warning countries_replaced']],
    ['every device replaced', { devices: ['desktop'] }, ['warning targeting_replaced']],
    [
      'other countries, and all browsers',
      { browsers_enabled: 1, browsers: [], geo: ['IN'] },
      ['warning countries_replaced', 'warning targeting_widened'],
      { browsers_enabled: 0, browsers: ['Chrome'], geo: ['BR', 'MX', 'AR', 'CO', 'CL'] },
    ],
    ['one hour a week', { shedule: week(1) }, ['warning schedule_sparse']],
    ['24 hours a week', { shedule: week(24) }, ['warning schedule_sparse']],
    ['25 hours a week', { shedule: week(25) }, []],
    ['no hour a week', { shedule: week(0) }, ['danger schedule_wiped']],
    ['every hour a week', { shedule: week(168) }, ['danger schedule_wiped']],
    ['the schedule switched off', { enable_shedule: 0 }, ['danger schedule_wiped']],
    ['an unknown schedule', { shedule: 'x' }, ['warning schedule_unknown']],
    [
      'another click host',
      { clickurl: 'https://evil.example/c' },
      ['danger destination_changes', 'warning url_parameter_dropped'],
    ],
    ['another click path', { clickurl: `${String(example['clickurl'])}&d=1` }, []],
    [
      'another click path with other parameters',
      { clickurl: 'https://track.example/d?{click_id}' },
      ['warning url_parameter_dropped'],
    ],
    [
      'a host behind a name',
      { clickurl: 'https://track.example@evil.example/' },
      ['danger destination_changes', 'danger destination_unclear', 'warning url_parameter_dropped'],
    ],
    [
      'the same host behind a name',
      { clickurl: String(example['clickurl']).replace('https://', 'https://me@') },
      ['danger destination_unclear'],
    ],
    [
      'the same host with an escaped letter',
      { clickurl: String(example['clickurl']).replace('track', 'tr%61ck') },
      ['danger destination_unclear'],
    ],
    [
      'the same address without encryption',
      { clickurl: String(example['clickurl']).replace('https:', 'http:') },
      ['warning destination_insecure'],
    ],
    ['another type', { type: 14 }, ['warning type_changes']],
    [
      'a name with a letter that is drawn like a plain one',
      { name: 'DE push – su\u{1D0D}mer' },
      ['warning look_alikes'],
    ],
    ['a name with a letter-like sign', { name: 'D\u212F push – summer' }, ['warning look_alikes']],
    ['a name in another language', { name: 'DE pöß – čšž ğıİøł æœ' }, []],
    ['a name with look-alikes', { name: 'DE рush – summer' }, ['warning look_alikes']],
  ] as [string, JsonObject, string[], JsonObject?][])('%s', (_what, change, expected, campaign = {}) =>
    expect(warnings(change, { ...example, ...campaign })).toEqual(expected),
  );

  test('a campaign that becomes active', () => {
    expect(warnings({ status: 1 }, { ...example, status: 3 })).toEqual(['notice activates']);
    expect(warnings({ status: 4 }, { ...example, status: 3 })).toEqual(['notice activates']);
    expect(warnings({ status: 3 })).toEqual([]);
    expect(warnings({ status: 1 }, { ...example, status: 3, enable_budget: 0 })).toEqual([
      'danger exposure_unlimited',
      'notice activates',
    ]);
  });

  test('an activation states the money that can be spent', () => {
    const text = (change: JsonObject, campaign: JsonObject): string | undefined =>
      assess(change, { ...example, status: 3, ...campaign }).warnings.find(({ code }) => code === 'activates')
        ?.text;
    expect(text({ status: 1 }, { d_revenue: 5_000_000, t_revenue: 0, expire: '2026-11-21' })).toBe(
      'The campaign becomes active and can spend immediately, up to $5,000,000.00 per day and $10,000,000.00 until the end.',
    );
    expect(text({ status: 4 }, { enable_budget: 0 })).toBe(
      'The campaign runs by its start and schedule and can spend immediately, without a limit.',
    );
    const in2030 = { create: '2030-01-01', expire: '2030-01-31', t_revenue: 0 };
    expect(text({ status: 1 }, { status: 4, ...in2030 })).toBe(
      'The campaign becomes active and can spend from 1 Jan 2030 on, up to $50.00 per day and $1,550.00 until the end.',
    );
    expect(text({ status: 1 }, { status: 4, expire: '2026-11-19' })).toBe(
      'The campaign becomes active and has no hour left in which it could spend.',
    );
  });

  test.each([
    [
      'a total budget',
      { enable_time: 0, t_revenue: 100 },
      { t_revenue: 1_000_000 },
      ['danger decimal_slip', 'danger until_end_tenfold'],
    ],
    [
      'a total budget, doubled',
      { enable_time: 0, t_revenue: 100 },
      { t_revenue: 200 },
      ['warning until_end_doubled'],
    ],
    [
      'a flight',
      { t_revenue: 0, expire: '2026-11-20' },
      { expire: '2036-11-20' },
      ['danger until_end_tenfold', 'warning flight_extended'],
    ],
    [
      'a flight that was over',
      { t_revenue: 0, expire: '2026-11-19' },
      { expire: '2036-11-20' },
      ['warning spends_again', 'warning flight_revived'],
    ],
    ['both', { t_revenue: 0 }, { d_revenue: 510 }, ['danger per_day_tenfold', 'danger until_end_tenfold']],
    [
      'a daily budget that grows much, but not several times',
      { d_revenue: 5000, t_revenue: 0 },
      { d_revenue: 6000.01 },
      ['warning budget_raised'],
    ],
    ['a daily budget by less', { d_revenue: 5000, t_revenue: 0 }, { d_revenue: 6000 }, []],
    [
      'a day by its total budget',
      { d_revenue: 0, t_revenue: 5000 },
      { t_revenue: 6500 },
      ['warning budget_raised'],
    ],
    ['a budget that is switched off', { enable_budget: 0 }, { d_revenue: 5100 }, []],
    ['a week that was already off', { enable_shedule: 0 }, { shedule: week(1) }, []],
    ['budgets switched off while paused', { status: 3 }, { enable_budget: 0 }, ['danger budgets_off']],
    ['a bid of 0', { payout: 0 }, { payout: 9 }, ['danger bid_from_zero']],
    ['a bid under 0', { payout: -1 }, { payout: 0.01 }, ['danger bid_from_zero']],
    ['a bid that falls to 0', { payout: 9 }, { payout: 0 }, []],
    ['a daily budget doubled while paused', { status: 3 }, { d_revenue: 100 }, ['warning budget_raised']],
    ['a daily budget not quite doubled while paused', { status: 3 }, { d_revenue: 99 }, []],
    [
      'a daily budget that grows ninefold with the activation',
      { status: 3 },
      { d_revenue: 450, status: 1 },
      ['warning budget_raised', 'notice activates'],
    ],
    [
      'a total budget doubled while paused',
      { status: 3, t_revenue: 100 },
      { t_revenue: 200 },
      ['warning budget_raised'],
    ],
    ['a first limit while paused', { status: 3, t_revenue: 0 }, { t_revenue: 5000 }, []],
    [
      'a total budget while paused',
      { status: 3, t_revenue: 100 },
      { t_revenue: 1_000_000 },
      ['danger decimal_slip', 'danger budget_tenfold'],
    ],
    [
      'a scheduled campaign without a limit that becomes active',
      { status: 4, enable_budget: 0 },
      { status: 1 },
      ['danger exposure_unlimited', 'notice activates'],
    ],
    [
      'an active campaign without a limit that is scheduled',
      { enable_budget: 0 },
      { status: 4 },
      ['notice activates'],
    ],
  ] as [string, JsonObject, JsonObject, string[]][])(
    'a limit that grows: %s',
    (_what, campaign, change, expected) =>
      expect(warnings(change, { ...example, ...campaign })).toEqual(expected),
  );

  test('a type that is not recognised', () => {
    expect(warnings({ payout: 6 }, exampleCampaign('other'))).toEqual(['warning type_unrecognised']);
  });

  test('dangers come before other warnings', () => {
    const seen = assess({ payout: 0.46, devices_enabled: 1, enable_budget: 0, status: 4 }).warnings.map(
      ({ severity }) => severity,
    );
    expect(seen).toEqual(['danger', 'danger', 'warning', 'notice']);
  });
});

describe('added and removed list entries are described:', () => {
  const latin = ['BR', 'MX', 'AR', 'CO', 'CL'];
  const numbers = Array.from({ length: 16 }, (_entry, index) => 1000 + index);
  test.each([
    ['publisher_blocklist', numbers, [], 'Unblocks all 16 blocked publishers.', '16 publishers', 'None'],
    [
      'publisher_blocklist',
      numbers,
      numbers.slice(8),
      'Unblocks 8 of 16 blocked publishers.',
      '16 publishers',
      '8 publishers',
    ],
    [
      'publisher_blocklist',
      numbers,
      [7],
      'Unblocks all 16 blocked publishers and blocks 1 other.',
      '16 publishers',
      '1 publisher',
    ],
    ['ip_blocklist', ['a'], [], 'Unblocks the only blocked IP address.', '1 IP address', 'None'],
    ['carrier_allowlist', ['a'], ['a', 'b', 'c'], 'Adds 2 more allowed carriers.', '1 carrier', '3 carriers'],
    [
      'geo',
      latin,
      ['IN'],
      'Removes all 5 countries and adds 1 other.',
      'Argentina, Brazil, Chile, Colombia, Mexico',
      'India',
    ],
    [
      'geo',
      [...latin, 'US', 'PE', 'EC'],
      ['IN', 'US'],
      'Removes 7 of 8 countries and adds 1 other.',
      'AR, BR, CL, CO, EC, MX, PE, US',
      'India, United States',
    ],
    [
      'devices',
      ['mobile'],
      ['desktop'],
      'Removes the only device type and adds 1 other.',
      'mobile',
      'desktop',
    ],
    ['zone_exclude', ['a', 'b'], ['c'], '“Zone exclude”: all 2 removed.', '2 entries', '1 entry'],
  ] as [string, JsonValue[], JsonValue[], string, string, string][])(
    '%s from %j to %j',
    (field, from, to, text, before, after) => {
      const campaign = { ...example, ...(field === 'devices' && { devices_enabled: 0 }), [field]: from };
      const { warnings: found, headline } = assess({ [field]: to }, campaign);
      expect(found.map((warning) => warning.text)).toEqual([text]);
      expect(headline).toEqual({ label: fieldLabel(field), before, after });
    },
  );

  test('a replaced set of countries is the headline before an added browser', () => {
    const campaign = { ...example, geo: latin, browsers_enabled: 0, browsers: ['Chrome'] };
    expect(assess({ browsers_enabled: 1, browsers: [], geo: ['IN'] }, campaign).headline).toMatchObject({
      label: 'Countries',
      after: 'India',
    });
  });
});

describe('the value to type is', () => {
  test('the new bid if it is ten times as high', () => {
    expect(assess({ payout: 0.45 }).typeToConfirm).toEqual({
      label: 'Type 0.450 to confirm',
      value: '0.450',
    });
    expect(assess({ payout: 0.4499 }).typeToConfirm).toBeNull();
  });

  test('the new bid if there was none', () => {
    expect(assess({ payout: 9 }, { ...example, payout: 0 })).toMatchObject({
      warnings: [{ text: 'The bid becomes $9.000 instead of $0.000.' }],
      typeToConfirm: { label: 'Type 9.000 to confirm', value: '9.000' },
      bidFactor: null,
    });
  });

  test.each([null, undefined, '0.045', true])('the new bid if the old one is %j', (payout) => {
    const bare = Object.fromEntries(Object.entries(example).filter(([field]) => field !== 'payout'));
    const before: JsonObject = payout === undefined ? bare : { ...bare, payout };
    expect(warnings({ payout: 0.05 }, before)).toEqual(['danger bid_from_zero']);
    expect(assess({ payout: 0.05 }, before).typeToConfirm?.value).toBe('0.050');
  });

  test.each([
    ['ten times as high', { d_revenue: 500 }, {}, '500.00'],
    ['almost ten times as high', { d_revenue: 499.99 }, {}, null],
    ['a total ten times as high', { t_revenue: 20_500 }, {}, '20500.00'],
    ['ten times as high while paused', { d_revenue: 500 }, { status: 3 }, '500.00'],
    ['raised by more than $1,000 a day', { d_revenue: 6000.01 }, { d_revenue: 5000 }, null],
    ['lowered', { d_revenue: 5 }, {}, null],
    ['switched off', { d_revenue: 510 }, { enable_budget: 0 }, null],
    ['switched off, and looks like a slip', { d_revenue: 500 }, { enable_budget: 0 }, '500.00'],
    ['switched on', { enable_budget: 1, d_revenue: 501 }, { enable_budget: 0 }, null],
    ['more than anybody types', { d_revenue: 1e15 }, {}, '1042'],
    ['the largest possible number', { t_revenue: Number.MAX_VALUE }, {}, '1042'],
    ['written with an exponent', { d_revenue: 1e21 }, {}, '1042'],
  ] as [string, JsonObject, JsonObject, string | null][])(
    'the new budget if it is %s',
    (_what, change, campaign, value) =>
      expect(assess(change, { ...example, ...campaign }).typeToConfirm?.value ?? null).toBe(value),
  );

  test('the new bid rather than a new budget', () => {
    expect(assess({ payout: 0.45, d_revenue: 500 }).typeToConfirm?.value).toBe('0.450');
  });

  test('the campaign id if spending becomes unlimited', () => {
    const typed = assess({ enable_budget: 0, payout: 0.45 }).typeToConfirm;
    expect(typed).toEqual({
      label: 'Type 1042 to confirm',
      value: '1042',
    });
    expect(assess({ payout: 0.05 }, { ...example, enable_budget: 0 }).typeToConfirm).toBeNull();
  });
});

test('the bid factor and the notes are part of the assessment', () => {
  expect(assess({ payout: 0.45 })).toMatchObject({
    bidFactor: '×10',
    notes: ['Spend to date: not available.'],
  });
  expect(assess({ name: 'x' }).bidFactor).toBeNull();
  expect(assess({ payout: 0.05 }, { ...example, status: 3 }).notes).toEqual([
    'Spend to date: not available.',
    'Not running: nothing is at risk before activation.',
  ]);
  expect(assess({ status: 3 }).notes).toHaveLength(1);
});

function said(change: JsonObject, campaign: JsonObject = example) {
  const [first] = diffCampaigns(campaign, { ...campaign, ...change });
  if (first === undefined) throw new Error('Nothing changes');
  const { after, factor } = changeInWords(first, exampleContext(), defaultFormats);
  const texts = assess(change, campaign).warnings.map(({ text }) => text);
  return { after, factor, first: texts[0] ?? null };
}

describe('the text of a value states its meaning:', () => {
  test.each([
    [
      'a total of 0 is no total',
      { t_revenue: 0 },
      'Unlimited',
      null,
      'Total budget becomes unlimited: a budget of 0 limits nothing.',
    ],
    [
      'a flag of 1 is all values',
      { geo_enabled: 1 },
      'All countries',
      null,
      'Targeting widens to all countries.',
    ],
    [
      'a switch of 0 is no limit',
      { enable_budget: 0 },
      'Off (unlimited)',
      null,
      'Nothing limits what this campaign can spend in a day.',
    ],
    [
      'a bid with a moved decimal point',
      { payout: 4.5 },
      '$4.500',
      '×100',
      'Bid looks like a slipped decimal point: $0.045 → $4.500.',
    ],
    [
      'ten times and a little',
      { payout: 0.46 },
      '$0.460',
      '×10.2',
      'The bid becomes $0.460, 10.2 times the current one.',
    ],
    [
      'one hour of the week',
      { shedule: week(1) },
      '1 of 168 hours',
      null,
      'The campaign runs 1 of 168 hours a week.',
    ],
    [
      'no hour of the week',
      { shedule: week(0) },
      '0 of 168 hours',
      null,
      'The weekly schedule is empty: the campaign runs in none of 168 hours.',
    ],
    [
      'a schedule that is switched off',
      { enable_shedule: 0 },
      'Off (all hours)',
      null,
      'The weekly schedule limits nothing: the campaign runs in all 168 hours instead of 84.',
    ],
    [
      'another host for the clicks',
      { clickurl: 'https://evil.example/c' },
      'https://evil.example/c',
      null,
      'Click URL goes to “evil.example” instead of “track.example”.',
    ],
  ] as [string, JsonObject, string, string | null, string][])('%s', (_what, change, after, factor, first) =>
    expect(said(change)).toEqual({ after, factor, first }),
  );

  test('a status of 1 means spending', () => {
    const { after, first } = said({ status: 1 }, { ...example, status: 3 });
    expect(after).toBe('Active');
    expect(first).toMatch(/^The campaign becomes active and can spend immediately, up to \$50\.00 per day/);
  });
});
