import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextStep, type AttemptEvent } from '#core/proposals/delivery/next-step.ts';
import type { Attempt } from '#core/proposals/delivery/approved-writes.ts';
import { outcomeWith } from '#core/proposals/operations/outcome.ts';
import { allowedMoves } from '#core/proposals/lifecycle/journal.ts';
import type { ReadBack, Reread } from '#core/proposals/operations/operation.ts';
import type { StoredProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';

const attemptIn = (state: StoredProposal['state'], sent: number): Attempt => ({
  proposal: { id: 'p', state, outcome: null, verdicts: [] } as unknown as StoredProposal,
  sent,
  compared: null,
});

const compared = (reread: Reread): AttemptEvent => ({ kind: 'compared', reread, nowMs: 5 });
const prevented = (code: ConstructorParameters<typeof AppError>[0]): AttemptEvent => ({
  kind: 'prevented',
  failure: new AppError(code),
});
const refusedBy429: AttemptEvent = {
  kind: 'answered',
  answer: { kind: 'refused', outcome: outcomeWith('rate_limited') },
  pauseMs: 1_500,
};
const readBack = (isAsSent: boolean, evidence: ReadBack['evidence']): AttemptEvent => ({
  kind: 'read',
  readBack: { isAsSent, evidence, verdicts: [] },
});
const successor = {} as Extract<Reread, { kind: 'outdated' }>['successor'];

type Row = [what: string, at: Attempt, event: AttemptEvent, to: string, code: string | null, next: unknown];

const before = attemptIn('approved', 0);
const again = attemptIn('intent', 1);
const rows: Row[] = [
  [
    'when nothing changed, records the intent and then sends',
    before,
    compared({ kind: 'unchanged' }),
    'intent',
    null,
    'send',
  ],
  [
    'when nothing changed before sending again, sends',
    again,
    compared({ kind: 'unchanged' }),
    'intent',
    null,
    'send',
  ],
  [
    'when the campaign changed',
    before,
    compared({ kind: 'outdated', successor }),
    'stale',
    'proposal_stale',
    'end',
  ],
  [
    'when the campaign changed during a pause',
    again,
    compared({ kind: 'outdated', successor }),
    'refused',
    'proposal_stale',
    'end',
  ],
  [
    'when the field to change was changed by someone else',
    before,
    compared({ kind: 'conflict', conflict: [] }),
    'stale',
    'proposal_stale',
    'end',
  ],
  [
    'when the field to change was changed by someone else during a pause',
    again,
    compared({ kind: 'conflict', conflict: [] }),
    'refused',
    'proposal_stale',
    'end',
  ],
  [
    'when nothing is left to send',
    before,
    compared({ kind: 'impossible', failure: new AppError('tool_held') }),
    'stale',
    'tool_held',
    'end',
  ],
  [
    'when nothing is left to send after a pause',
    again,
    compared({ kind: 'impossible', failure: new AppError('tool_held') }),
    'refused',
    'tool_held',
    'end',
  ],
  ['when the proposal expired', before, prevented('not_sent_in_time'), 'expired', 'not_sent_in_time', 'end'],
  [
    'when the proposal expired during a pause',
    again,
    prevented('not_sent_in_time'),
    'refused',
    'not_sent_in_time',
    'end',
  ],
  ['when the agent was frozen', before, prevented('agents_frozen'), 'withdrawn', 'agents_frozen', 'end'],
  [
    'when the agent was frozen during a pause',
    again,
    prevented('agents_frozen'),
    'refused',
    'agents_frozen',
    'end',
  ],
  [
    'when the program ends',
    before,
    prevented('stopped_before_sending'),
    'withdrawn',
    'stopped_before_sending',
    'end',
  ],
  [
    'when the program ends during a pause',
    again,
    prevented('stopped_before_sending'),
    'refused',
    'rate_limited',
    'end',
  ],
  [
    'when a bug throws',
    before,
    { kind: 'prevented', failure: new TypeError('x') },
    'withdrawn',
    'internal',
    'end',
  ],
  ['when the service answers 429', again, refusedBy429, 'intent', 'write_waits', { pauseMs: 1_500 }],
  [
    'when the service refuses with any other status',
    again,
    { kind: 'answered', answer: { kind: 'refused', outcome: outcomeWith('forbidden') }, pauseMs: null },
    'refused',
    'forbidden',
    'end',
  ],
  [
    'when no answer arrives',
    again,
    { kind: 'answered', answer: { kind: 'none' }, pauseMs: null },
    'unknown',
    'outcome_unknown',
    'end',
  ],
  [
    'when the service accepts the write',
    again,
    { kind: 'answered', answer: { kind: 'accepted' }, pauseMs: null },
    'sent',
    null,
    'read',
  ],
  ['when the read-back matches', attemptIn('sent', 1), readBack(true, 'payload'), 'verified', null, 'end'],
  [
    'when the read-back differs',
    attemptIn('sent', 1),
    readBack(false, 'other'),
    'differs',
    'stored_differently',
    'end',
  ],
  [
    'when the write is done and there is nothing to read back',
    attemptIn('sent', 1),
    readBack(true, 'none'),
    'done',
    null,
    'end',
  ],
  [
    'when the write is accepted and cannot be read back',
    attemptIn('sent', 1),
    { kind: 'read', readBack: null },
    'unknown',
    'accepted_not_read',
    'end',
  ],
];

describe('the next step of a delivery', () => {
  test.each(rows)('%s', (_what, at, event, to, code, next) => {
    const step = nextStep(at, event);
    expect({ to: step.to, code: step.set.outcome?.code ?? null, next: step.next }).toEqual({
      to,
      code,
      next,
    });
    expect(allowedMoves[at.proposal.state]).toContain(step.to);
  });

  test('a write that may have reached the service is never withdrawn, and a refused write is never reported as unsent', () => {
    const kept = rows
      .map(([, , event]) => event)
      .filter(({ kind }) => kind === 'prevented' || kind === 'compared');
    fc.assert(
      fc.property(fc.constantFrom(...kept), fc.integer({ min: 1, max: 9 }), (event, sent) => {
        const { to, unrecorded } = nextStep(attemptIn('intent', sent), event);
        expect(['intent', 'refused']).toContain(to);
        // If the step cannot be recorded, a refusal stays a refusal; an event before the send counts as prevented,
        // which refuses too.
        expect(unrecorded?.kind ?? 'refused').toBe('refused');
      }),
    );
  });
});
