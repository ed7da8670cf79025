import { expect, test } from 'vitest';
import {
  checkSummary,
  isProblem,
  rehearsalWords,
  reviewLook,
} from '#renderer/features/drafts/check-words.ts';
import { usualFormats } from '#shared/lib/formats.ts';

test('a dry run says how it ended, and what it does not know', () => {
  expect(rehearsalWords({ kind: 'accepted', status: 1, hoursNextWeek: 96, isBalanceKnown: true })).toBe(
    'Dry run: accepted, Active, 96 h in the next 7 days',
  );
  expect(rehearsalWords({ kind: 'accepted', status: 3, hoursNextWeek: 0, isBalanceKnown: false })).toBe(
    'Dry run: accepted, Paused, 0 h in the next 7 days; balance unknown',
  );
  expect(
    rehearsalWords({
      kind: 'refused',
      message: 'The campaign is not valid.',
      fields: [{ field: 'title', message: 'Title is too long.' }],
    }),
  ).toBe('Dry run: refused. The campaign is not valid. Title is too long.');
  expect(rehearsalWords({ kind: 'not_rehearsed', reason: 'its type is not known.' })).toBe(
    'No dry run: its type is not known.',
  );
});

test('a check counts campaigns by their states; warnings, conflicts, errors and failures are problems', () => {
  const states = ['ready', 'ready', 'warning', 'conflict', 'error', 'error', 'failed', 'same'] as const;
  const campaigns = states.map((state) => ({ state }));
  expect(checkSummary(campaigns, usualFormats)).toBe(
    '2 campaigns ready, 1 with warnings, 1 with conflicts, 2 with errors, 1 not read, 1 without change',
  );
  expect(checkSummary([{ state: 'warning' }], usualFormats)).toBe('1 campaign with warnings');
  expect(campaigns.filter(isProblem).map(({ state }) => state)).toEqual(states.slice(2, 7));
});

test('drafts await an approval, are sent, or have an unknown outcome, as their proposal does', () => {
  expect(reviewLook(null)).toBeNull();
  const labels = (['proposed', 'shown', 'approved', 'intent', 'sent', 'unknown'] as const).map(
    (state) => reviewLook(state)?.label,
  );
  expect(labels).toEqual([
    'Awaiting your approval',
    'Awaiting your approval',
    'Sending…',
    'Sending…',
    'Sending…',
    'Outcome unknown',
  ]);
});
