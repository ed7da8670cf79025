import { describe, expect, test } from 'vitest';
import { AppError, type ErrorCode } from '#shared/errors/index.ts';
import { asksAnew, stepFlow, type Flow } from '#renderer/confirm/state/flow.ts';
import { exampleBatch } from '#test/fixtures/batch.ts';
import { exampleDecided, exampleProposal, exampleReview, exampleDisplay } from '#test/fixtures/proposal.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

const display = exampleDisplay();
const { displayId } = display;
const opening: Flow = { kind: 'opening' };
const asking = stepFlow(opening, { kind: 'opened', display });
const approving = stepFlow(asking, { kind: 'chosen', choice: 'approve' });
const denying = stepFlow(asking, { kind: 'chosen', choice: 'deny' });

describe('while the question is on screen', () => {
  test('a silent core blocks the decision until it answers again', () => {
    const lost = stepFlow(asking, { kind: 'lookFailed', displayId, error: new AppError('core_unreachable') });
    expect(lost).toMatchObject({ kind: 'asking', problem: { blocking: true } });
    expect(stepFlow(lost, { kind: 'chosen', choice: 'approve' })).toBe(lost);
    const found = stepFlow(lost, { kind: 'looked', display });
    expect(found).toMatchObject({ kind: 'asking', problem: null });
    expect(asksAnew(lost, found)).toBe(true);
  });

  test.each(['display_unknown', 'not_signed_in', 'proposal_expired'] satisfies ErrorCode[])(
    'nothing can be decided any more after %s',
    (code) => {
      const over = stepFlow(asking, { kind: 'lookFailed', displayId, error: new AppError(code) });
      expect(over.kind).toBe('over');
      expect(over).not.toMatchObject({ next: expect.stringContaining('Nothing was sent') });
    },
  );

  test('a status check that returns the same display changes nothing', () => {
    expect(stepFlow(asking, { kind: 'looked', display })).toBe(asking);
  });

  test('a status check that returns changed content arms the buttons again', () => {
    const changed = exampleDisplay({ updatedAtMs: 1_000_500 });
    const after = stepFlow(asking, { kind: 'looked', display: changed });
    expect(after).toMatchObject({ kind: 'asking', display: changed });
    expect(asksAnew(asking, after)).toBe(true);
  });

  test('a new number format is shown, and the buttons stay armed', () => {
    const formats = { numbers: 'space', moments: 'utc' } as const;
    const rewritten = {
      ...exampleDisplay({ title: sentence`${ownWords('Raise by $1\u202F000.00')}` }),
      formats,
    };
    const after = stepFlow(asking, { kind: 'looked', display: rewritten });
    expect(after).toMatchObject({ kind: 'asking', display: rewritten });
    expect(asksAnew(asking, after)).toBe(false);
  });

  test('a change that ended without a decision leaves its place in the review, and a single change leaves none', () => {
    const withdrawn = exampleDisplay({ state: 'withdrawn' });
    const review = exampleReview();
    const inReview = { ...withdrawn, review };
    const rest = { kind: 'rested', proposal: withdrawn.proposal };
    const continued = { ...rest, after: { from: inReview, review } };
    expect(stepFlow(asking, { kind: 'looked', display: withdrawn })).toEqual({ ...rest, after: null });
    expect(stepFlow(asking, { kind: 'looked', display: inReview })).toEqual(continued);
    const found = { kind: 'foundEnded', displayId, display: inReview } as const;
    for (const flow of [asking, approving, denying]) {
      expect(stepFlow(flow, found)).toEqual(continued);
      expect(stepFlow(flow, { ...found, displayId: 'display-0' })).toBe(flow);
    }
  });

  test('late answers about another display change nothing', () => {
    const other = exampleDisplay({}, 'display-0');
    expect(stepFlow(asking, { kind: 'looked', display: other })).toBe(asking);
    const error = new AppError('display_unknown');
    expect(stepFlow(asking, { kind: 'lookFailed', displayId: 'display-0', error })).toBe(asking);
  });
});

describe('the undo of a sent change', () => {
  const undo = { undoes: null, undoneBy: null, canUndo: true };
  const verified = exampleProposal({ state: 'verified', undo });
  const done = stepFlow(approving, { kind: 'decided', displayId, proposal: verified, again: null });
  const asked = stepFlow(done, { kind: 'undoAsked' });

  test('is offered only after an approval with a known effect', () => {
    expect(done).toMatchObject({ kind: 'rested', undo: { display, isPreparing: false, problem: null } });
    const proposal = exampleProposal({ state: 'refused' });
    expect(stepFlow(approving, { kind: 'decided', displayId, proposal, again: null })).toEqual({
      kind: 'rested',
      proposal,
      after: null,
    });
    const reopened = stepFlow(opening, {
      kind: 'opened',
      display: exampleDisplay({ state: 'verified', undo }),
    });
    expect(reopened).not.toHaveProperty('undo');
  });

  test('is a new question, for which the buttons arm again', () => {
    expect(asked).toMatchObject({ kind: 'rested', undo: { isPreparing: true } });
    const next = exampleDisplay({ id: 'proposal-2' }, 'display-2');
    const after = stepFlow(asked, { kind: 'undoProposed', displayId, display: next });
    expect(after).toMatchObject({ kind: 'asking', display: next });
    expect(asksAnew(asked, after)).toBe(true);
  });

  test.each([
    ['nothing_to_reverse', /Nothing is left to reverse/],
    ['display_unknown', /This window cannot undo/],
  ] as const)(
    'that fails with %s keeps the outcome, and shows the reason and the next step',
    (code, message) => {
      const error = new AppError(code);
      const after = stepFlow(asked, { kind: 'undoFailed', displayId, error });
      expect(after).toMatchObject({
        kind: 'rested',
        proposal: verified,
        undo: {
          isPreparing: false,
          problem: {
            message: expect.stringMatching(message) as string,
            next: expect.stringMatching(/./) as string,
          },
        },
      });
      expect(stepFlow(after, { kind: 'undoAsked' })).toMatchObject({
        undo: { isPreparing: true, problem: null },
      });
    },
  );

  test('for another display changes nothing', () => {
    const other = exampleDisplay({}, 'display-0');
    expect(stepFlow(asked, { kind: 'undoProposed', displayId: 'display-0', display: other })).toBe(asked);
  });
});

describe('while the change is prepared again', () => {
  const preparing = stepFlow(asking, { kind: 'prepareAsked' });

  test('nothing can be chosen, and the new change arms the buttons again', () => {
    expect(preparing).toMatchObject({ kind: 'preparing', display });
    expect(stepFlow(preparing, { kind: 'chosen', choice: 'approve' })).toBe(preparing);
    const next = exampleDisplay({ id: 'proposal-2' }, 'display-2');
    const prepared = stepFlow(preparing, { kind: 'prepared', displayId, display: next });
    expect(prepared).toMatchObject({ kind: 'asking', display: next, problem: null });
    expect(asksAnew(preparing, prepared)).toBe(true);
  });

  test('a failure keeps the question, shows the reason, and arms the buttons again', () => {
    const error = new AppError('tool_refused');
    const failed = stepFlow(preparing, { kind: 'prepareFailed', displayId, error });
    expect(failed).toMatchObject({ kind: 'asking', display, problem: { blocking: false } });
    expect(asksAnew(preparing, failed)).toBe(true);
  });

  test('a display that ended elsewhere shows its end, and late answers about another display change nothing', () => {
    const error = new AppError('display_unknown');
    expect(stepFlow(preparing, { kind: 'prepareFailed', displayId, error }).kind).toBe('over');
    expect(stepFlow(preparing, { kind: 'prepareFailed', displayId: 'display-0', error })).toBe(preparing);
  });
});

describe('while the core works on a decision', () => {
  test('a failed status check does not end the decision', () => {
    const error = new AppError('display_unknown');
    expect(stepFlow(approving, { kind: 'lookFailed', displayId, error })).toBe(approving);
  });

  test('the settled proposal is shown', () => {
    const proposal = exampleProposal({ state: 'verified' });
    expect(stepFlow(approving, { kind: 'decided', displayId, proposal, again: null })).toEqual({
      kind: 'rested',
      proposal,
      after: null,
    });
  });

  test('a campaign that changed meanwhile leads to a new question, for which the buttons arm again', () => {
    const again = exampleDisplay({ id: 'proposal-2' }, 'display-2');
    const proposal = exampleProposal({ state: 'stale' });
    const after = stepFlow(approving, { kind: 'decided', displayId, proposal, again });
    expect(after).toMatchObject({ kind: 'asking', display: again });
    expect(asksAnew(approving, after)).toBe(true);
  });

  test('a conflict cannot be approved', () => {
    const conflict = [{ field: 'payout', label: 'Bid', base: '1', mine: '2', theirs: '3' }];
    const proposal = exampleProposal({ state: 'stale', conflict });
    const after = stepFlow(approving, { kind: 'decided', displayId, proposal, again: null });
    expect(after.kind).toBe('rested');
  });

  test.each([
    'confirmation_too_early',
    'typed_value_wrong',
    'campaign_locked',
    'storage_failed',
    'disk_full',
    'disk_read_only',
  ] satisfies ErrorCode[])('the same question can be answered again after %s', (code) => {
    const after = stepFlow(approving, { kind: 'decisionFailed', displayId, error: new AppError(code) });
    expect(after).toMatchObject({ kind: 'asking', problem: { blocking: false } });
    expect(asksAnew(approving, after)).toBe(true);
  });

  test.each(['display_unknown', 'not_signed_in'] satisfies ErrorCode[])(
    'a press after the end of the confirmation reports that, and that the press decided nothing (%s)',
    (code) => {
      for (const deciding of [approving, denying]) {
        const error = new AppError(code);
        expect(stepFlow(deciding, { kind: 'decisionFailed', displayId, error })).toMatchObject({
          kind: 'over',
          message: expect.stringContaining('was over when you pressed'),
          next: expect.stringContaining('decided nothing'),
        });
      }
    },
  );

  test('without an answer to Approve, the page says that the change may or may not have been sent', () => {
    const error = new AppError('core_unreachable');
    const after = stepFlow(approving, { kind: 'decisionFailed', displayId, error });
    expect(after).toMatchObject({ kind: 'over', message: expect.stringContaining('may or may not') });
  });

  test('a change that was stopped, or has an unknown outcome, leads to no second question', () => {
    for (const code of ['stopped_before_sending', 'outcome_unknown', 'shutting_down'] satisfies ErrorCode[]) {
      const error = new AppError(code);
      const after = stepFlow(approving, { kind: 'decisionFailed', displayId, error });
      expect(after).toMatchObject({ kind: 'over', message: error.message });
    }
  });

  test('without an answer to Deny, the page says only that no answer came', () => {
    const error = new AppError('core_unreachable');
    const after = stepFlow(denying, { kind: 'decisionFailed', displayId, error });
    expect(after).toMatchObject({ kind: 'over', message: 'Countersign does not answer.' });
  });
});

describe('a review of several changes', () => {
  const review = exampleReview();
  const next = { ...exampleDisplay({ id: 'proposal-2' }, 'display-2'), review };
  const proposal = exampleProposal({ state: 'approved' });
  const decided = { kind: 'decided', displayId, proposal, again: null, review } as const;

  test('shows the next change at once, and its buttons arm again', () => {
    for (const deciding of [approving, denying]) {
      const after = stepFlow(deciding, { ...decided, next: { display: next, review } });
      expect(after).toEqual({ kind: 'asking', display: next, problem: null });
      expect(asksAnew(deciding, after)).toBe(true);
    }
  });

  test('does not arm the buttons again when an outcome arrives', () => {
    const shown = stepFlow(approving, { ...decided, next: { display: next, review } });
    const arrived = { ...next, review: exampleReview({ decided: [exampleDecided({ state: 'verified' })] }) };
    const after = stepFlow(shown, { kind: 'looked', display: arrived });
    expect(after).toMatchObject({ kind: 'asking', display: arrived });
    expect(asksAnew(shown, after)).toBe(false);
  });

  test('ends with a summary, which is updated while changes are still being sent', () => {
    const summary = stepFlow(approving, { ...decided, next: { display: null, review } });
    expect(summary).toEqual({ kind: 'summary', after: { from: display, review } });
    const later = exampleReview({ approved: 2 });
    expect(stepFlow(summary, { kind: 'progressed', displayId: 'display-0', review: later })).toBe(summary);
    expect(stepFlow(summary, { kind: 'progressed', displayId, review: later })).toEqual({
      kind: 'summary',
      after: { from: display, review: later },
    });
  });

  test('ignores late answers about a decided change', () => {
    const shown = stepFlow(approving, { ...decided, next: { display: next, review } });
    expect(stepFlow(shown, { ...decided, next: { display: null, review } })).toBe(shown);
    const error = new AppError('display_unknown');
    expect(stepFlow(shown, { kind: 'decisionFailed', displayId, error })).toBe(shown);
    expect(stepFlow(shown, { kind: 'lookFailed', displayId, error })).toBe(shown);
    expect(stepFlow(shown, { kind: 'progressed', displayId, review })).toBe(shown);
  });
});

test('a settled proposal is shown without buttons', () => {
  const rested = exampleDisplay({ state: 'withdrawn' });
  expect(stepFlow(opening, { kind: 'opened', display: rested })).toMatchObject({ kind: 'rested' });
});

test('a window that is reused for another display starts over from every state', () => {
  for (const flow of [
    asking,
    approving,
    stepFlow(asking, { kind: 'looked', display: exampleDisplay({ state: 'expired' }) }),
  ]) {
    expect(stepFlow(flow, { kind: 'reopened' })).toEqual(opening);
  }
});

describe('a batch', () => {
  const batch = (...states: Parameters<typeof exampleBatch>[0][number][]): typeof display =>
    exampleDisplay(exampleBatch(states));
  const asked = stepFlow(opening, { kind: 'opened', display: batch('shown', 'shown') });

  test('with a member that was decided elsewhere arms the buttons again', () => {
    const fewer = batch('shown', 'withdrawn');
    const after = stepFlow(asked, { kind: 'looked', display: fewer });
    expect(after).toMatchObject({ kind: 'asking', display: fewer });
    expect(asksAnew(asked, after)).toBe(true);
  });

  test('shows the state of each member during execution', () => {
    const deciding = stepFlow(asked, { kind: 'chosen', choice: 'approve' });
    const now = batch('verified', 'intent');
    const after = stepFlow(deciding, { kind: 'looked', display: now });
    expect(after).toEqual({ kind: 'deciding', display: now, choice: 'approve' });
    expect(asksAnew(deciding, after)).toBe(false);
  });
});
