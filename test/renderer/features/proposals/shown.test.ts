import { expect, test } from 'vitest';
import { shownByItself } from '#renderer/features/proposals/stores/groups.ts';

const nothing = { selectedId: null, byItself: null, firstWaiting: null };

test('the newest waiting proposal is shown while none is chosen', () => {
  expect(shownByItself({ ...nothing, firstWaiting: 'p2' })).toBe('p2');
  expect(shownByItself(nothing)).toBeNull();
});

test('it stays in view when it is decided and when a newer one arrives', () => {
  expect(shownByItself({ ...nothing, byItself: 'p2' })).toBe('p2');
  expect(shownByItself({ ...nothing, byItself: 'p2', firstWaiting: 'p3' })).toBe('p2');
});

test('a choice ends it, and without the choice the newest of then is shown', () => {
  expect(shownByItself({ selectedId: 'p1', byItself: 'p2', firstWaiting: 'p3' })).toBeNull();
});
