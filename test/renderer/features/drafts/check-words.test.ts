import { expect, test } from 'vitest';
import { checkSummary, forecastWords, isProblem, reviewLook } from '#renderer/features/drafts/check-words.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

test('a forecast names the status, the hours, and an unknown balance for an activation', () => {
  const words = (status: number, balance: 'unknown' | null): string =>
    forecastWords({ status, hoursNextWeek: 96, balance });
  expect(words(1, null)).toBe('Then Active, 96 h in the next 7 days');
  expect(words(1, 'unknown')).toBe('Then Active, 96 h in the next 7 days; balance unknown');
});

test('a check counts campaigns by their states; warnings, conflicts, errors and failures are problems', () => {
  const states = ['ready', 'ready', 'warning', 'conflict', 'error', 'error', 'failed', 'same'] as const;
  const campaigns = states.map((state) => ({ state }));
  expect(checkSummary(campaigns, defaultFormats)).toBe(
    '2 campaigns ready, 1 with warnings, 1 with conflicts, 2 with errors, 1 not read, 1 without change',
  );
  expect(checkSummary([{ state: 'warning' }], defaultFormats)).toBe('1 campaign with warnings');
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
