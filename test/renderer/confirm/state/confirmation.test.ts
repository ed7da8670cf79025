import { describe, expect, test } from 'vitest';
import type { Decision, DecisionResult, ReviewProgress, Turn, Turned } from '#shared/host-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { ConfirmBridge } from '#renderer/api/confirm-bridge.ts';
import { createConfirmation } from '#renderer/confirm/state/confirmation.ts';
import type { Confirmation } from '#renderer/confirm/state/confirmation-state.ts';
import { asksAnew, stepFlow } from '#renderer/confirm/state/flow.ts';
import { exampleDecided, exampleProposal, exampleReview, exampleShowing } from '#test/fixtures/proposal.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Scene {
  confirmation: Confirmation;
  decisions: Decision[];
  /** The directions in which the person went through the review. */
  turns: Turn['to'][];
  /** How often the core was told that the confirmation was seen. */
  seen: () => number;
  at: (ms: number) => void;
  press: () => Promise<void>;
  emitWaiting: (count: number) => void;
  closings: () => number;
}

/** A page with a core that acknowledges at once and answers as the options determine. */
async function scene(options: {
  showing?: ReturnType<typeof exampleShowing>;
  answer?: () => DecisionResult;
  seenFails?: boolean;
  turn?: () => Promise<Turned>;
  progress?: () => ReviewProgress;
}): Promise<Scene> {
  const { showing = exampleShowing(), seenFails = false } = options;
  const decisions: Decision[] = [];
  const turns: Turn['to'][] = [];
  let nowMs = 1000;
  let seen = 0;
  let closings = 0;
  let emitWaiting = (_count: number): void => {};
  const bridge: ConfirmBridge = {
    open: async () => showing,
    look: async () => showing,
    async seen() {
      seen += 1;
      if (seenFails) throw new AppError('core_unreachable');
    },
    picture: () => Promise.reject(new AppError('picture_unknown')),
    targets: () => Promise.reject(new AppError('showing_unknown')),
    prepareAgain: () => Promise.reject(new AppError('prepare_again_impossible')),
    undo: () => Promise.reject(new AppError('undo_impossible')),
    turn({ to }) {
      turns.push(to);
      return options.turn?.() ?? Promise.reject(new AppError('showing_unknown'));
    },
    progress: async () => options.progress?.() ?? exampleReview(),
    async decide(decision) {
      decisions.push(decision);
      return options.answer?.() ?? { proposal: exampleProposal({ state: 'verified' }), again: null };
    },
    async close() {
      closings += 1;
    },
    onReopened: () => () => {},
    onWaiting(listener) {
      emitWaiting = listener;
      return () => {};
    },
  };
  const confirmation = createConfirmation({
    bridge,
    monotonicMs: () => nowMs,
    wallMs: () => 1_100_000,
    isAttentive: () => true,
  });
  const stop = confirmation.start();
  await settled();
  stop();
  return {
    confirmation,
    decisions,
    turns,
    seen: () => seen,
    emitWaiting: (count) => emitWaiting(count),
    closings: () => closings,
    at: (ms) => void (nowMs = ms),
    async press() {
      const press = { choice: 'approve', by: 'pointer', trusted: true, atMs: nowMs } as const;
      confirmation.perceive({ kind: 'pressed', repeated: false, ...press });
      confirmation.perceive({ kind: 'released', ...press });
      await settled();
    },
  };
}

test('a click after the delay sends what identifies the showing and its fingerprint', async () => {
  const { decisions, at, press, confirmation } = await scene({});
  at(1500);
  await press();
  expect(decisions).toEqual([
    {
      showingId: 'showing-1',
      nonce: 'nonce of showing-1',
      fingerprint: 'f'.repeat(64),
      decision: 'approve',
      reason: null,
      typed: null,
    },
  ]);
  expect(confirmation.state().flow.kind).toBe('rested');
});

test('a core that did not hear of the showing leaves the buttons unarmed', async () => {
  const { decisions, at, press, confirmation } = await scene({ seenFails: true });
  at(9000);
  await press();
  expect(decisions).toEqual([]);
  expect(confirmation.state().flow).toMatchObject({ problem: { blocking: true } });
});

test.each([
  ['first', [0, 1]],
  ['last', [1, 0]],
])(
  'a window reused while it opens shows the later change, also when the earlier answers %s',
  async (_, order) => {
    const answers: ((showing: ReturnType<typeof exampleShowing>) => void)[] = [];
    let reuse = (): void => {};
    const bridge: ConfirmBridge = {
      open: () => new Promise((resolve) => void answers.push(resolve)),
      look: async ({ showingId }) => exampleShowing({}, showingId),
      seen: async () => {},
      picture: () => Promise.reject(new AppError('picture_unknown')),
      targets: () => Promise.reject(new AppError('showing_unknown')),
      prepareAgain: () => Promise.reject(new AppError('prepare_again_impossible')),
      undo: () => Promise.reject(new AppError('undo_impossible')),
      turn: () => Promise.reject(new AppError('showing_unknown')),
      progress: () => Promise.reject(new AppError('showing_unknown')),
      decide: () => Promise.reject(new AppError('showing_unknown')),
      close: async () => {},
      onReopened(listener) {
        reuse = listener;
        return () => {};
      },
      onWaiting: () => () => {},
    };
    const confirmation = createConfirmation({
      bridge,
      monotonicMs: () => 1000,
      wallMs: () => 1_100_000,
      isAttentive: () => true,
    });
    const stop = confirmation.start();
    reuse();
    for (const which of order) {
      answers[which]?.(exampleShowing({}, which === 0 ? 'earlier' : 'later'));
      await settled();
    }
    stop();
    expect(confirmation.state().flow).toMatchObject({ kind: 'asking', showing: { showingId: 'later' } });
  },
);

test('the reason goes with Deny and never with Approve', async () => {
  const denied = await scene({});
  denied.at(1500);
  denied.confirmation.giveReason('  too expensive ');
  denied.confirmation.perceive({
    kind: 'entered',
    choice: 'deny',
    trusted: true,
    repeated: false,
    atMs: 1500,
  });
  await settled();
  expect(denied.decisions).toMatchObject([{ decision: 'deny', reason: 'too expensive' }]);

  const approved = await scene({});
  approved.at(1500);
  approved.confirmation.giveReason('too expensive');
  await approved.press();
  expect(approved.decisions).toMatchObject([{ decision: 'approve', reason: null }]);
});

test('the page knows how many wait behind its showing, and asks its host to close', async () => {
  const { confirmation, emitWaiting, closings } = await scene({});
  expect(confirmation.state().waiting).toBe(0);
  emitWaiting(2);
  expect(confirmation.state().waiting).toBe(2);
  confirmation.close();
  expect(closings()).toBe(1);
});

describe('a review', () => {
  const review = exampleReview({ identical: 2 });
  const first = { ...exampleShowing(), review };
  const next = { ...exampleShowing({ id: 'proposal-2' }, 'showing-2'), review };

  test('goes on only from armed buttons, and the next change arms anew with empty fields', async () => {
    const { confirmation, turns, decisions, at, press } = await scene({
      showing: first,
      turn: async () => ({ showing: next, review }),
    });
    at(1499);
    confirmation.turn('next');
    expect(turns).toEqual([]);
    at(1500);
    confirmation.giveReason('for the first one');
    confirmation.turn('previous');
    expect(turns).toEqual([]);
    confirmation.turn('together');
    confirmation.turn('next');
    await press();
    expect(turns).toEqual(['together']);
    expect(confirmation.state()).toMatchObject({
      flow: { kind: 'asking', showing: { showingId: 'showing-2' } },
      reason: '',
      turning: false,
    });
    await press();
    expect(decisions).toEqual([]);
    at(2000);
    await press();
    expect(decisions).toMatchObject([{ showingId: 'showing-2', continueReview: true }]);
  });

  test('goes on with the decision, and a key that is still held decides nothing on the next change', async () => {
    const { confirmation, decisions, turns, seen, at, press } = await scene({
      showing: first,
      answer: () => ({
        proposal: exampleProposal({ state: 'approved' }),
        again: null,
        review,
        next: { showing: next, review },
      }),
    });
    at(1500);
    confirmation.giveReason('for the first one');
    const before = seen();
    await press();
    expect(decisions).toMatchObject([{ showingId: 'showing-1', continueReview: true }]);
    expect(turns).toEqual([]);
    expect(seen()).toBe(before + 1);
    expect(confirmation.state()).toMatchObject({
      flow: { kind: 'asking', showing: { showingId: 'showing-2' } },
      reason: '',
    });
    const held = { trusted: true, repeated: true, atMs: 9000 } as const;
    at(9000);
    confirmation.perceive({ kind: 'pressed', choice: 'approve', by: 'space', ...held });
    confirmation.perceive({ kind: 'released', choice: 'approve', by: 'space', trusted: true, atMs: 9000 });
    confirmation.perceive({ kind: 'entered', choice: 'deny', ...held });
    await settled();
    expect(decisions).toHaveLength(1);
  });

  test('asks to undo a decided change from armed buttons only, and never twice at once', async () => {
    const decided = [exampleDecided({ state: 'verified', canUndo: true })];
    const { confirmation, turns, at } = await scene({
      showing: { ...first, review: exampleReview({ decided }) },
      turn: async () => ({ showing: next, review }),
    });
    confirmation.undoDecided('proposal-0');
    expect(turns).toEqual([]);
    at(1500);
    confirmation.undoDecided('proposal-0');
    confirmation.undoDecided('proposal-0');
    await settled();
    expect(turns).toEqual(['undo']);
    expect(confirmation.state().flow).toMatchObject({ kind: 'asking', showing: { showingId: 'showing-2' } });
  });

  test.each([true, false])('parts a batch only where the core offers it (%s)', async (canPart) => {
    const { confirmation, turns, at } = await scene({
      showing: { ...first, review: exampleReview({ canPart }) },
      turn: async () => ({ showing: next, review }),
    });
    at(1500);
    confirmation.turn('singly');
    await settled();
    expect(turns).toEqual(canPart ? ['singly'] : []);
  });

  test('that cannot go on leaves the question with the reason beside it, and armed', async () => {
    const { confirmation, decisions, at, press } = await scene({
      showing: first,
      turn: () => Promise.reject(new AppError('batch_unequal')),
    });
    at(1500);
    confirmation.turn('together');
    await settled();
    expect(confirmation.state().flow).toMatchObject({ kind: 'asking', problem: { blocking: false } });
    await press();
    expect(decisions).toHaveLength(1);
  });

  test('goes on from an outcome, and ends with a summary', async () => {
    const ended = exampleReview({ hasNext: false, waiting: 0, approved: 3 });
    const { confirmation, turns, at, press } = await scene({
      showing: first,
      answer: () => ({ proposal: exampleProposal({ state: 'verified' }), again: null, review }),
      turn: async () => ({ showing: null, review: ended }),
    });
    at(1500);
    await press();
    expect(confirmation.state().flow).toMatchObject({ kind: 'rested', after: { review } });
    confirmation.turn('later');
    confirmation.turn('next');
    await settled();
    expect(turns).toEqual(['next']);
    expect(confirmation.state().flow).toMatchObject({ kind: 'summary', after: { review: ended } });
    confirmation.turn('next');
    expect(turns).toHaveLength(1);
  });

  test('changes its place without a new arming', async () => {
    const { confirmation, seen } = await scene({ showing: first });
    const before = seen();
    const flow = confirmation.state().flow;
    const moved = { ...first, review: exampleReview({ total: 9 }) };
    const after = stepFlow(flow, { kind: 'looked', showing: moved });
    expect(after).toMatchObject({ kind: 'asking', showing: { review: { total: 9 } } });
    expect(asksAnew(flow, after)).toBe(false);
    expect(seen()).toBe(before);
  });
});
