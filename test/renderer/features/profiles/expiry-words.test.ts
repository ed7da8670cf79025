import { expect, test } from 'vitest';
import { expiryOf } from '#renderer/features/profiles/profile-words.ts';

const minute = 60_000;
const at = (ms: number): string => `t+${ms / minute}`;

test.each<[number | null, string, string]>([
  [null, 'unknown', 'The token does not say when it expires.'],
  [61 * minute, 'later', 'Expires at t+61.'],
  [60 * minute, 'soon', 'Expires in 60 min, at t+60. Have a new one ready.'],
  [minute / 2, 'soon', 'Expires in 1 min, at t+0.5. Have a new one ready.'],
  [0, 'past', 'Expired at t+0. Paste a new one.'],
  [-minute, 'past', 'Expired at t+-1. Paste a new one.'],
])('a token that ends at %s is %s', (expiresAtMs, kind, words) => {
  expect(expiryOf(expiresAtMs, 0, at)).toEqual({ kind, words });
});
