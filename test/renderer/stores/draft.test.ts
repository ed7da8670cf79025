import { describe, expect, test } from 'vitest';
import {
  checkDraft,
  changedElsewhere,
  readDraft,
  rebased,
  withEdit,
  withoutEdit,
} from '#renderer/stores/editor/draft.ts';
import type { CampaignDetail } from '#shared/app-api/index.ts';
import { exampleCampaign, exampleContext } from '#test/fixtures/campaign.ts';

const campaign = exampleCampaign('push');

function detail(): CampaignDetail {
  const { types, settings } = exampleContext();
  return {
    edit: { campaign, campaign_types: types, settings },
    readAtMs: 0,
    kept: null,
    lockedBy: null,
    waiting: [],
  };
}

describe('a draft', () => {
  test('remembers the value it was typed over', () => {
    const draft = withEdit({}, campaign, 'payout', '0.45');
    expect(readDraft(draft, campaign).changes).toEqual([{ field: 'payout', from: 0.045, to: 0.45 }]);
  });

  test('is no change when the stored value is typed again, however it is spelled', () => {
    const draft = withEdit(withEdit({}, campaign, 'payout', '0.45'), campaign, 'payout', '0.0450');
    expect(readDraft(draft, campaign)).toEqual({ changes: [], errors: [] });
    expect(withEdit(draft, campaign, 'payout', '0.045')).toEqual({});
  });

  test('keeps a trailing point while the user is typing', () => {
    expect(withEdit({}, campaign, 'd_revenue', '50.').d_revenue?.typed).toBe('50.');
  });

  test('sends codes as numbers and names as text', () => {
    const draft = withEdit(withEdit({}, campaign, 'status', '3'), campaign, 'name', '42');
    expect(readDraft(draft, campaign).changes).toEqual([
      { field: 'name', from: campaign['name'], to: '42' },
      { field: 'status', from: 1, to: 3 },
    ]);
  });

  test('takes one field back and leaves the others', () => {
    const draft = withEdit(withEdit({}, campaign, 'status', '3'), campaign, 'name', 'X');
    expect(Object.keys(withoutEdit(draft, 'status'))).toEqual(['name']);
  });
});

describe('a campaign that moves under a draft', () => {
  const draft = withEdit({}, campaign, 'payout', '0.45');
  const moved = { ...campaign, payout: 0.06 };

  test('names the field that changed elsewhere, and no other', () => {
    expect(changedElsewhere(draft, moved)).toEqual(['payout']);
    expect(changedElsewhere(draft, { ...campaign, d_revenue: 70 })).toEqual([]);
  });

  test('is no obstacle once the person has seen the new value and keeps theirs', () => {
    const kept = rebased(draft, moved);
    expect(changedElsewhere(kept, moved)).toEqual([]);
    expect(readDraft(kept, moved).changes).toEqual([{ field: 'payout', from: 0.06, to: 0.45 }]);
  });

  test('is settled when it changed to the typed value', () => {
    expect(readDraft(draft, { ...campaign, payout: 0.45 }).changes).toEqual([]);
  });
});

describe('a draft held against the rules', () => {
  test('shows every failing field at once, each at its place', () => {
    const draft = withEdit(withEdit({}, campaign, 'payout', '99'), campaign, 'd_revenue', '1');
    const checked = checkDraft(draft, detail(), []);
    expect([...checked.errorAt.keys()].toSorted()).toEqual(['d_revenue', 'payout']);
    expect(checked.ready).toBe(false);
  });

  test('says what is wrong with text that is no amount', () => {
    const checked = checkDraft(withEdit({}, campaign, 'payout', '0,45'), detail(), []);
    expect(checked.errorAt.get('payout')).toMatch(/after a point/u);
    expect(checked.changes).toEqual([]);
  });

  test('repeats what the service refused, and sets other fields apart', () => {
    const refused = [
      { field: 'payout', code: 'out_of_range', message: 'Too low today.' },
      { field: 'geo', code: 'needs_value', message: 'Choose a country.' },
    ];
    const checked = checkDraft(withEdit({}, campaign, 'payout', '0.45'), detail(), refused);
    expect(checked.errorAt.get('payout')).toBe('Too low today.');
    expect(checked.elsewhere.map(({ field }) => field)).toEqual(['geo']);
  });

  test('is ready when there is a change and nothing prevents it', () => {
    expect(checkDraft(withEdit({}, campaign, 'payout', '0.45'), detail(), []).ready).toBe(true);
    expect(checkDraft({}, detail(), []).ready).toBe(false);
  });
});
