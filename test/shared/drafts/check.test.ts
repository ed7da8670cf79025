import { describe, expect, test } from 'vitest';
import { checkDraft, type CampaignDraft, type FieldDraft } from '#shared/drafts/index.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { sampleCampaign, sampleContext } from '#shared/training/corpus/index.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

const edit = (change: JsonObject = {}) => ({
  campaign: { ...sampleCampaign, ...change },
  campaign_types: sampleContext.types,
  settings: sampleContext.settings,
});

const set = (from: JsonValue, value: JsonValue): FieldDraft => ({
  from,
  operations: [{ kind: 'set', value }],
});

function states(draft: CampaignDraft, change: JsonObject = {}): Record<string, string> {
  const { fields } = checkDraft(edit(change), draft, defaultFormats);
  return Object.fromEntries(fields.map(({ field, state }) => [field, state]));
}

test('a draft changes the value that it started from, and the payload keeps everything else', () => {
  const checked = checkDraft(edit(), { payout: set(0.045, 0.05) }, defaultFormats);
  expect(checked).toMatchObject({ isReady: true, otherErrors: [] });
  expect(checked.payload).toEqual({ ...sampleCampaign, payout: 0.05 });
});

test('a draft of the current value is no change', () => {
  expect(states({ payout: set(0.045, 0.05) }, { payout: 0.05 })).toEqual({ payout: 'same' });
  expect(checkDraft(edit({ payout: 0.05 }), { payout: set(0.045, 0.05) }, defaultFormats).isReady).toBe(
    false,
  );
});

describe('a value that differs from the draft’s start is a conflict, for each kind of field:', () => {
  test.each([
    ['name', 'Another name', 'Mine'],
    ['status', 3, 2],
    ['payout', 0.05, 0.06],
    ['clickurl', 'https://a.example/', 'https://b.example/'],
    ['title', 'Theirs', 'Mine'],
    ['icon', { url: 'https://img.example/b.png' }, { url: 'https://img.example/c.png' }],
    ['d_revenue', 60, 70],
    ['expire', '2026-12-30', '2027-01-31'],
    ['shedule', Array.from({ length: 168 }, () => 1), Array.from({ length: 168 }, () => 0)],
    ['geo', ['DE'], ['BR']],
    ['keywords_blocklist', 'casino', 'bet'],
    ['ip_blocklist', [], ['192.0.2.1']],
    ['bidControl', [], [{ id: 9 }]],
    ['freq_counter', 4, 5],
  ] as [string, JsonValue, JsonValue][])('%s', (field, theirs, mine) => {
    const from = sampleCampaign[field] as JsonValue;
    expect(states({ [field]: set(from, mine) }, { [field]: theirs })).toEqual({ [field]: 'conflict' });
    expect(checkDraft(edit({ [field]: theirs }), { [field]: set(from, mine) }, defaultFormats).isReady).toBe(
      false,
    );
  });
});

test('a percentage applies to the value that was read, and a conflict shows both values', () => {
  const draft: CampaignDraft = { payout: { from: 0.045, operations: [{ kind: 'percent', percent: '10' }] } };
  const { fields } = checkDraft(edit({ payout: 0.06 }), draft, defaultFormats);
  expect(fields).toMatchObject([{ state: 'conflict', original: 0.045, theirs: 0.06, mine: 0.066 }]);
});

describe('errors are shown at their field:', () => {
  test('a bid outside the limits of the type', () => {
    const { fields, isReady } = checkDraft(edit(), { payout: set(0.045, 9) }, defaultFormats);
    expect(fields).toMatchObject([{ state: 'error', message: 'Bid must be between $0.010 and $5.000.' }]);
    expect(isReady).toBe(false);
  });
  describe('a budget that a calculation reduces to 0, which means unlimited, is refused for', () => {
    const calculated = (...operations: FieldDraft['operations']): CampaignDraft => ({
      t_revenue: { from: 500, operations },
    });
    const minus = { kind: 'subtract', amount: '500' } as const;
    const message = 'Total budget would become 0, which is unlimited.';
    test.each<[string, CampaignDraft]>([
      ['an amount less', calculated(minus)],
      ['100% less', calculated({ kind: 'percent', percent: '-100' })],
      ['a cap of 0', calculated({ kind: 'cap', amount: '0' })],
      ['rounded to 0', calculated({ kind: 'percent', percent: '-99.9999' })],
      ['set, then less', calculated({ kind: 'set', value: 500 }, minus)],
    ])('%s', (_case, draft) => {
      const { fields, isReady } = checkDraft(edit({ t_revenue: 500 }), draft, defaultFormats);
      expect({ fields, isReady }).toMatchObject({ fields: [{ state: 'error', message }], isReady: false });
    });
    test('the daily budget', () => {
      const operations: FieldDraft['operations'] = [{ kind: 'percent', percent: '-100' }];
      expect(states({ d_revenue: { from: 50, operations } }, { d_revenue: 50 })).toEqual({
        d_revenue: 'error',
      });
    });
    test('a draft over 800 that was kept over someone else’s 500', () => {
      const kept = { t_revenue: { from: 500, operations: [minus] } };
      expect(states({ t_revenue: { ...kept.t_revenue, from: 800 } }, { t_revenue: 500 })).toEqual({
        t_revenue: 'conflict',
      });
      expect(states(kept, { t_revenue: 500 })).toEqual({ t_revenue: 'error' });
      expect(states(kept, { t_revenue: 800 })).toEqual({ t_revenue: 'conflict' });
    });
    test('but not a budget that is set to 0', () => {
      expect(states({ t_revenue: set(500, 0) }, { t_revenue: 500 })).toEqual({ t_revenue: 'changed' });
    });
  });
  test('an empty custom targeting', () => {
    const { fields } = checkDraft(edit(), { geo: set(['DE', 'FR', 'IT'], []) }, defaultFormats);
    expect(fields).toMatchObject([
      { state: 'error', message: 'Name at least one country, or target all countries.' },
    ]);
  });
  test('an operation that does not apply', () => {
    const draft: CampaignDraft = {
      name: { from: 'DE push – summer', operations: [{ kind: 'add', amount: '1' }] },
    };
    expect(checkDraft(edit(), draft, defaultFormats).fields).toMatchObject([
      { state: 'error', mine: undefined },
    ]);
  });
  test('a field that the campaign does not have', () => {
    expect(checkDraft(edit(), { not_there: set(null, 1) }, defaultFormats).fields).toMatchObject([
      { message: 'The campaign has no such field.' },
    ]);
  });
  test('a status that members cannot set', () => {
    const draft: CampaignDraft = { status: set(0, 1), name: set('DE push – summer', 'Approved') };
    expect(states(draft, { status: 0 })).toEqual({ status: 'error', name: 'changed' });
    expect(states({ status: set(0, 1) }, { status: 0 })).toEqual({ status: 'error' });
    expect(states({ status: set(1, 0) })).toEqual({ status: 'error' });
  });
  test('a status alone is not refused for other errors of the campaign', () => {
    const wrong = { enable_budget: 7, payout: 99 };
    expect(checkDraft(edit(wrong), { status: set(1, 3) }, defaultFormats)).toMatchObject({
      isReady: true,
      otherErrors: [],
    });
    const both = { status: set(1, 3), name: set('DE push – summer', 'Paused') };
    expect(checkDraft(edit(wrong), both, defaultFormats).otherErrors.map(({ field }) => field)).toEqual([
      'payout',
      'enable_budget',
    ]);
  });
  test('an error of another field is reported separately', () => {
    const checked = checkDraft(
      edit({ shedule_timezone: 'Europe/Berlin' }),
      { type: set(11, 99) },
      defaultFormats,
    );
    expect(checked.isReady).toBe(false);
    expect(
      checkDraft(edit({ enable_budget: 7 }), { payout: set(0.045, 0.05) }, defaultFormats).otherErrors,
    ).toMatchObject([{ field: 'enable_budget' }]);
  });
});
