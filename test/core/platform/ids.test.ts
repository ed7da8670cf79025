import { expect, test } from 'vitest';
import { createIds } from '#core/platform/ids.ts';

test('ids sort in the order of their creation, even within a millisecond and when the clock goes back', () => {
  let nowMs = 1_700_000_000_000;
  const ids = createIds(() => nowMs);
  const made = Array.from({ length: 200_000 }, (_, at) => {
    if (at === 70_000) nowMs -= 60_000;
    if (at === 150_000) nowMs += 3_600_000;
    return ids.id();
  });
  expect(made.findIndex((id, at) => at > 0 && id <= made[at - 1]!)).toBe(-1);
  expect(new Set(made.map((id) => id.length))).toEqual(new Set([27]));
});

test('two sources make different ids in the same millisecond', () => {
  const [one, other] = [createIds(() => 1), createIds(() => 1)];
  expect(one.id()).not.toBe(other.id());
});
