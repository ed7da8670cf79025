import { describe, expect, test } from 'vitest';
import {
  approveBatchWords,
  batchAside,
  batchProgress,
  batchTone,
  type MemberState,
} from '#renderer/ui/proposal/proposal-words.ts';

const members = (...states: MemberState['state'][]): MemberState[] => states.map((state) => ({ state }));

describe('the words of a batch', () => {
  test.each([
    [members('shown', 'proposed'), 'Approve 2 changes', '2 changes'],
    [members('shown'), 'Approve 1 change', '1 change'],
    [members('shown', 'withdrawn', 'shown'), 'Approve 2 of 3 changes', '2 of 3 changes wait'],
    [members('verified', 'refused'), 'Approve 0 of 2 changes', '2 changes'],
  ])('name what would be approved (%#)', (listed, approve, aside) => {
    expect(approveBatchWords(listed)).toBe(approve);
    expect(batchAside(listed)).toBe(aside);
  });

  test('count what has its result, however it ended', () => {
    const states = members('verified', 'refused', 'unknown', 'sent', 'approved', 'shown');
    expect(batchProgress(states)).toBe('3 of 6 have their result');
  });

  test.each([
    [members('verified', 'verified'), 'good'],
    [members('verified', 'stale'), 'neutral'],
    [members('verified', 'unknown', 'stale'), 'waiting'],
    [members('verified', 'refused', 'unknown'), 'bad'],
  ])('are as good as the worst result (%#)', (listed, tone) => {
    expect(batchTone(listed)).toBe(tone);
  });
});
