import { describe, expect, test } from 'vitest';
import { defaultFormats } from '#shared/lib/formats.ts';
import {
  approveBatchWords,
  approveWords,
  argumentCount,
  batchCountText,
  batchProgress,
  batchTone,
  type MemberState,
  targetCount,
  unchangedKindOf,
} from '#shared/wording/index.ts';

const members = (...states: MemberState['state'][]): MemberState[] => states.map((state) => ({ state }));

describe('the words of a batch', () => {
  test.each([
    [members('shown', 'proposed'), 'Approve 2 changes', '2 changes'],
    [members('shown'), 'Approve 1 change', '1 change'],
    [members('shown', 'withdrawn', 'shown'), 'Approve 2 of 3 changes', '2 of 3 changes wait'],
    [members('verified', 'refused'), 'Approve 0 of 2 changes', '2 changes'],
  ])('name the changes that Approve covers (%#)', (listed, approve, aside) => {
    expect(approveBatchWords(listed, defaultFormats)).toBe(approve);
    expect(batchCountText(listed, defaultFormats)).toBe(aside);
  });

  test('count every member that has a result', () => {
    const states = members('verified', 'refused', 'unknown', 'sent', 'approved', 'shown');
    expect(batchProgress(states, defaultFormats)).toBe('3 of 6 have their result');
  });

  test.each([
    [members('verified', 'verified'), 'good'],
    [members('verified', 'stale'), 'neutral'],
    [members('verified', 'unknown', 'stale'), 'waiting'],
    [members('verified', 'refused', 'unknown'), 'bad'],
  ])('have the tone of the worst result (%#)', (listed, tone) => {
    expect(batchTone(listed)).toBe(tone);
  });
});

const paused = { statusBefore: 1, statusAfter: 3 };
const unmoved = { statusBefore: 3, statusAfter: 3 };

describe('a batch', () => {
  test.each([
    [[paused], 'Approve change', '1 campaign'],
    [[unmoved], 'Approve change', '1 campaign'],
    [[paused, paused], 'Approve 2 changes', '2 campaigns'],
    [[paused, paused, unmoved, unmoved, unmoved], 'Approve 2 changes', '2 of 5 campaigns'],
    [[paused, unmoved], 'Approve change', '1 of 2 campaigns'],
  ])('counts only the campaigns that change (%#)', (targets, button, count) => {
    expect(approveWords(targets, defaultFormats)).toBe(button);
    expect(targetCount(targets, defaultFormats)).toBe(count);
  });
});

test.each([
  [{ operation: 'campaign.update', detail: { kind: 'campaigns' } }, 'fields'],
  [{ operation: 'campaign.status', detail: { kind: 'campaigns' } }, 'campaigns'],
  [{ operation: 'tool.call', detail: { kind: 'tool', known: 'update' } }, 'fields'],
  [{ operation: 'tool.call', detail: { kind: 'tool', known: 'status' } }, 'campaigns'],
  [{ operation: 'tool.call', detail: { kind: 'tool', known: 'campaign' } }, 'now'],
] as const)('what %o leaves unchanged are %s', (proposal, are) => {
  expect(unchangedKindOf(proposal)).toBe(are);
});

test('arguments are counted in words', () => {
  expect([0, 1, 5].map((count) => argumentCount(count, defaultFormats))).toEqual([
    '0 arguments',
    '1 argument',
    '5 arguments',
  ]);
});
