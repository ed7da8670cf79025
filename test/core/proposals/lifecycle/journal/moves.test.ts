import { describe, expect, test } from 'vitest';
import { allowedMoves, isAllowedMove } from '#core/proposals/lifecycle/journal.ts';
import { isUndecided, proposalStates, type ProposalState } from '#shared/proposals/states.ts';

/** An independent copy of the table, written by hand: rows are current states, `x` marks allowed next states. */
const columns = proposalStates;
const table: Record<ProposalState, string> = {
  //           prop show appr inte sent veri diff done refu unkn deni expi with stal
  proposed: '  .    x    .    .    .    .    .    .    .    .    .    x    x    .',
  shown: '     .    x    x    .    .    .    .    .    .    .    x    x    x    .',
  approved: '  .    .    .    x    .    .    .    .    .    .    .    x    x    x',
  intent: '    .    .    .    x    x    .    .    .    x    x    .    .    .    .',
  sent: '      .    .    .    .    .    x    x    x    .    x    .    .    .    .',
  verified: '  .    .    .    .    .    .    .    .    .    .    .    .    .    .',
  differs: '   .    .    .    .    .    .    .    .    .    .    .    .    .    .',
  done: '      .    .    .    .    .    .    .    .    .    .    .    .    .    .',
  refused: '   .    .    .    .    .    .    .    .    .    .    .    .    .    .',
  unknown: '   .    .    .    .    .    x    x    x    x    x    .    .    .    .',
  denied: '    .    .    .    .    .    .    .    .    .    .    .    .    .    .',
  // Allowed once, together with its successor, when a person had it prepared again.
  expired: '   .    .    .    .    .    .    .    .    .    .    .    x    .    .',
  withdrawn: ' .    .    .    .    .    .    .    .    .    .    .    .    .    .',
  stale: '     .    .    .    .    .    .    .    .    .    .    .    .    .    .',
};

describe.each(proposalStates)('from %s', (from) => {
  const marks = table[from].trim().split(/\s+/);
  test.each(columns.map((to, index) => ({ to, allowed: marks[index] === 'x' })))(
    'to $to: $allowed',
    ({ to, allowed }) => {
      expect(isAllowedMove(from, to)).toBe(allowed);
    },
  );
});

test('nothing is sent without an approval and an intent', () => {
  const before = (to: ProposalState): ProposalState[] =>
    proposalStates.filter((from) => allowedMoves[from].includes(to));
  expect(before('sent')).toEqual(['intent']);
  expect(before('intent')).toEqual(['approved', 'intent']);
  expect(before('approved')).toEqual(['shown']);
});

test('a proposal that may have been sent never counts as unsent, and is sent again only after a definite refusal', () => {
  const unsent: ProposalState[] = ['approved', 'denied', 'expired', 'withdrawn', 'stale'];
  const reach = (from: ProposalState, seen = new Set<ProposalState>()): Set<ProposalState> => {
    for (const to of allowedMoves[from]) if (!seen.has(to)) reach(to, seen.add(to));
    return seen;
  };
  for (const from of ['intent', 'sent', 'unknown'] as const) {
    expect([...reach(from)].filter((state) => unsent.includes(state))).toEqual([]);
  }
  for (const from of ['sent', 'unknown'] as const) expect(reach(from).has('intent')).toBe(false);
});

test('an unknown outcome stays unknown or ends as verified, done, different or not stored', () => {
  expect(allowedMoves.unknown.toSorted()).toEqual(['differs', 'done', 'refused', 'unknown', 'verified']);
});

test('a person can decide only on a proposal that is proposed or shown', () => {
  expect(proposalStates.filter(isUndecided)).toEqual(['proposed', 'shown']);
});
