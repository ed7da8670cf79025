import { describe, expect, test } from 'vitest';
import { assessStatus, type StatusMove } from '#shared/wording/index.ts';
import { exposureOf } from '#shared/campaign/index.ts';
import type { StatusCode } from '#shared/contract/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { exampleCampaign } from '#test/fixtures/campaign.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

const today = { date: '2026-12-31', time: '14:00', zone: 'Europe/Berlin' };

/** An example with some fields changed, and the status that it gets. */
function target(cid: number, to: StatusCode, campaign: JsonObject = {}): StatusMove['changing'][number] {
  const before = { ...exampleCampaign('push'), status: 3, ...campaign };
  const after = { ...before, status: to };
  return { cid, exposure: { before: exposureOf(before, today), after: exposureOf(after, today) } };
}

/** Assesses a change of status of examples with some fields changed. Their ids count from 1. */
function assess(to: StatusCode, ...campaigns: JsonObject[]) {
  const changing = campaigns.map((campaign, index) => target(index + 1, to, campaign));
  return assessStatus({ to, changing, stayingCount: 0 }, defaultFormats);
}

const noLimit = { enable_budget: 0 };

describe('the risk of a change of status is its money:', () => {
  test('an activation states what can be spent', () => {
    expect(assess(1, {}, { d_revenue: 5_000_000, t_revenue: 0 })).toEqual({
      warnings: [
        {
          code: 'activates',
          severity: 'notice',
          text: '2 campaigns can spend immediately, together up to $5,000,050.00 per day and $5,000,050.00 until the end. The account needs at least $1.00 available.',
        },
      ],
      typeToConfirm: null,
      notes: ['Spend to date: not available.'],
    });
  });

  test('scheduling states what can be spent', () => {
    expect(assess(4, { enable_time: 0 }).warnings).toEqual([
      {
        code: 'activates',
        severity: 'notice',
        text: '1 campaign will follow the configured start and schedule and can spend immediately, up to $50.00 per day and $2,050.00 until the end.',
      },
    ]);
  });

  test.each([
    ['budgets switched off', [noLimit], 'without a limit.'],
    ['one of several', [{}, noLimit], 'without a limit.'],
  ] as [string, JsonObject[], string][])(
    'activation to unlimited money is a danger: %s',
    (_what, campaigns, money) => {
      const [danger, notice] = assess(1, ...campaigns).warnings;
      expect(danger).toEqual({
        code: 'exposure_unlimited',
        severity: 'danger',
        text: '1 campaign can spend without a limit per day after this change.',
      });
      expect(notice?.text).toContain(
        `can spend immediately, ${campaigns.length > 1 ? 'together ' : ''}${money}`,
      );
    },
  );

  test.each([
    [
      'from the start of the flights on',
      [{ status: 4, create: '2030-01-01', expire: '2030-01-02', t_revenue: 0 }],
      '1 campaign can spend from 1 Jan 2030 on, up to $50.00 per day and $100.00 until the end.',
    ],
    [
      'nothing if no hour is left',
      [{ expire: '2026-12-30' }, { ...noLimit, expire: '2026-12-30' }],
      '2 campaigns have no hour left in which to spend.',
    ],
    [
      'as much as each campaign can',
      [{}, { create: '2030-01-01', expire: '' }, { expire: '2026-12-30' }],
      '2 of 3 campaigns can spend, 1 of them immediately, together up to $100.00 per day and $2,100.00 until the end.',
    ],
  ] as [string, JsonObject[], string][])('an activation can spend %s', (_what, campaigns, text) => {
    expect(assess(1, ...campaigns)).toMatchObject({
      warnings: [{ code: 'activates', text: `${text} The account needs at least $1.00 available.` }],
      typeToConfirm: null,
    });
  });

  test('an activation asks to type the id of one campaign, or the number of several', () => {
    expect(assess(1, noLimit).typeToConfirm).toEqual({
      label: 'Spending becomes unlimited. Type the campaign id',
      value: '1',
    });
    expect(assess(1, {}, noLimit, {}).typeToConfirm).toEqual({
      label: 'Spending becomes unlimited. Type the number of campaigns that change',
      value: '3',
    });
  });

  test('an unlimited scheduled campaign that will spend immediately is a danger as well', () => {
    expect(assess(1, { ...noLimit, status: 4 }).typeToConfirm?.value).toBe('1');
    expect(assess(4, { ...noLimit, status: 1 }).typeToConfirm).toBeNull();
  });

  test('a change that stops campaigns has no warning', () => {
    expect(assess(3, { ...noLimit, status: 1 })).toMatchObject({ warnings: [], typeToConfirm: null });
    expect(assess(2, { status: 1 }).warnings).toEqual([]);
  });

  test.each([
    [9, null, null],
    [10, 'notice 10 campaigns become Suspended at once.', null],
    [24, 'notice 24 campaigns become Suspended at once.', null],
    [25, 'warning 25 campaigns become Suspended at once.', null],
    [1200, 'warning 1,200 campaigns become Suspended at once.', null],
  ])('%i campaigns at once', (count, warning, typed) => {
    const campaigns = Array.from({ length: count }, (): JsonObject => ({ status: 1 }));
    const { warnings, typeToConfirm } = assess(2, ...campaigns);
    expect(warnings.map(({ severity, text }) => `${severity} ${text}`)).toEqual(
      warning === null ? [] : [warning],
    );
    expect(typeToConfirm?.value ?? null).toBe(typed);
  });

  test.each([
    [9, null],
    [10, '10'],
    [1200, '1200'],
  ])('activating %i campaigns at once asks for the number from ten on', (count, typed) => {
    const campaigns = Array.from({ length: count }, (): JsonObject => ({}));
    const { warnings, typeToConfirm } = assess(1, ...campaigns);
    expect(warnings.some(({ code, severity }) => code === 'bulk_activation' && severity === 'danger')).toBe(
      typed !== null,
    );
    expect(typeToConfirm?.value ?? null).toBe(typed);
  });

  test('a daily limit without an end is not a danger, because its cost is stated per day', () => {
    expect(assess(1, { d_revenue: 25, t_revenue: 0, enable_time: 0 })).toMatchObject({
      warnings: [{ code: 'activates', severity: 'notice' }],
      typeToConfirm: null,
    });
  });

  test('a pause of many campaigns is marked and asks for no value, because it may be urgent', () => {
    const campaigns = Array.from({ length: 1200 }, (): JsonObject => ({ status: 1 }));
    expect(assess(3, ...campaigns)).toMatchObject({
      warnings: [{ code: 'many_campaigns', severity: 'warning' }],
      typeToConfirm: null,
    });
  });

  test('many campaigns without a limit are a danger first', () => {
    const campaigns = Array.from({ length: 25 }, () => noLimit);
    expect(assess(1, ...campaigns).warnings.map(({ code }) => code)).toEqual([
      'exposure_unlimited',
      'bulk_activation',
      'activates',
    ]);
  });

  test('the notes count unchanged campaigns', () => {
    expect(assessStatus({ to: 3, changing: [], stayingCount: 1 }, defaultFormats).notes).toContain(
      '1 campaign is Paused already and will not be sent.',
    );
    expect(assessStatus({ to: 1, changing: [], stayingCount: 1200 }, defaultFormats).notes).toContain(
      '1,200 campaigns are Active already and will not be sent.',
    );
  });
});
