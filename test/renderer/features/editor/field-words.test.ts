import { expect, test } from 'vitest';
import {
  amountNote,
  dateNote,
  invisibleMarks,
  refusedStatus,
} from '#renderer/features/editor/field-words.ts';
import type { CheckedField, FieldDraft } from '#shared/drafts/index.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

test('a plain name contains no invisible characters', () => {
  expect(invisibleMarks('DE push – summer (v2) ☀')).toEqual([]);
});

test('each invisible character is named once', () => {
  expect(invisibleMarks('a\u202Eb\u200Bc\u202E')).toEqual(['U+202E', 'U+200B']);
});

test('members cannot set Pending, whatever the campaign is now', () => {
  for (const from of [1, 2, 3, 4]) expect(refusedStatus(from, 0)).toBeDefined();
  expect(refusedStatus(0, 0)).toBeUndefined();
});

test('a pending campaign can be paused or suspended, not started', () => {
  expect([1, 2, 3, 4].filter((to) => refusedStatus(0, to) === undefined)).toEqual([2, 3]);
});

test('every other change of status is left to the service', () => {
  for (const from of [1, 2, 3, 4]) {
    for (const to of [1, 2, 3, 4]) expect(refusedStatus(from, to)).toBeUndefined();
  }
});

test('the note on a relative amount names the change and the amount before rounding', () => {
  const draft: FieldDraft = { from: 0.0451, operations: [{ kind: 'percent', percent: '-10' }] };
  const checked = { notes: [{ kind: 'rounded' as const, exact: '0.0405905' }] } as unknown as CheckedField;
  expect(amountNote(checked, draft)).toBe('−10%, rounded from 0.0405905');
  expect(amountNote(undefined, { from: 1, operations: [{ kind: 'set', value: 2 }] })).toBeNull();
});

test('the note on a date names the weekday and the shift in days; an empty date has no note', () => {
  const moved: FieldDraft = { from: '2026-11-22', operations: [{ kind: 'shiftDays', days: 14 }] };
  expect(dateNote('2026-12-06', moved, defaultFormats)).toBe('Sun 6 Dec 2026, 14 days later');
  expect(dateNote('2026-12-06', undefined, defaultFormats)).toBe('Sun 6 Dec 2026');
  expect(dateNote('', undefined, defaultFormats)).toBeUndefined();
});
