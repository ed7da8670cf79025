import { expect, test } from 'vitest';
import {
  isAsApproved,
  isDoneBatch,
  isExecuted,
  isInDelivery,
  isOpen,
  isUndecided,
  proposalStates,
} from '#shared/proposals/states.ts';

test.each([
  ['may still be decided', isUndecided, ['proposed', 'shown']],
  ['are in delivery', isInDelivery, ['approved', 'intent', 'sent']],
  ['are open', isOpen, ['proposed', 'shown', 'approved', 'intent', 'sent']],
  ['were executed', isExecuted, ['verified', 'differs', 'done']],
  ['ended as approved', isAsApproved, ['verified', 'done']],
] as const)('the states of proposals that %s are complete', (_what, isOne, states) => {
  expect(proposalStates.filter(isOne)).toEqual(states);
});

test('a batch whose members have all settled has no result of its own', () => {
  const done = proposalStates.filter((state) => isDoneBatch({ state, detail: { kind: 'batch' } }));
  expect(done).toEqual(['done']);
  expect(isDoneBatch({ state: 'done', detail: { kind: 'tool' } })).toBe(false);
});
