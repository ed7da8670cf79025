import { expect, test } from 'vitest';
import { checkSummary, isProblem, rehearsalWords } from '#renderer/features/drafts/check-words.ts';

test('a rehearsal says whose copy it was, and what it does not know', () => {
  expect(rehearsalWords({ kind: 'accepted', status: 1, hoursNextWeek: 96, isBalanceKnown: true })).toBe(
    'On Countersign’s copy: accepted, Active, 96 h in the next 7 days',
  );
  expect(rehearsalWords({ kind: 'accepted', status: 3, hoursNextWeek: 0, isBalanceKnown: false })).toBe(
    'On Countersign’s copy: accepted, Paused, 0 h in the next 7 days; balance unknown',
  );
  expect(
    rehearsalWords({
      kind: 'refused',
      message: 'The campaign is not valid.',
      fields: [{ field: 'title', message: 'Title is too long.' }],
    }),
  ).toBe('On Countersign’s copy: refused. The campaign is not valid. Title is too long.');
  expect(rehearsalWords({ kind: 'not_rehearsed', reason: 'its type is not known.' })).toBe(
    'Not rehearsed: its type is not known.',
  );
});

test('the states of a check are counted; warnings, conflicts, errors and failures are problems', () => {
  const states = ['ready', 'ready', 'warning', 'conflict', 'error', 'error', 'failed', 'same'] as const;
  const campaigns = states.map((state) => ({ state }));
  expect(checkSummary(campaigns)).toBe(
    '2 ready, 1 warning, 1 conflict, 2 errors, 1 not read, 1 without change',
  );
  expect(campaigns.filter(isProblem).map(({ state }) => state)).toEqual(states.slice(2, 7));
});
