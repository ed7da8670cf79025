import { describe, expect, test } from 'vitest';
import { approveWords, targetCount } from '#renderer/ui/proposal/proposal-words.ts';

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
    expect(approveWords(targets)).toBe(button);
    expect(targetCount(targets)).toBe(count);
  });
});
