import { expect, test } from 'vitest';
import { createRecentMap } from '#core/platform/recent-map.ts';

test('recently used entries are kept, and each entry above the maximum removes the oldest', () => {
  const map = createRecentMap<string, number>(3);
  for (const [at, key] of ['a', 'b', 'c'].entries()) map.set(key, at);
  expect(map.get('a')).toBe(0);
  map.set('d', 3);
  expect(['a', 'b', 'c', 'd'].map((key) => map.get(key))).toEqual([0, undefined, 2, 3]);
  map.clear();
  expect(map.get('a')).toBeUndefined();
});
