import { describe, expect, test } from 'vitest';
import type { Decision, DecisionResult, ReviewProgress, Step, Stepped } from '#shared/host-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { ConfirmBridge } from '#renderer/api/confirm-bridge.ts';
import { createConfirmation } from '#renderer/confirm/state/confirmation.ts';
import type { Confirmation } from '#renderer/confirm/state/confirmation-state.ts';
import { asksAnew, stepFlow } from '#renderer/confirm/state/flow.ts';
import { exampleDecided, exampleProposal, exampleReview, exampleDisplay } from '#test/fixtures/proposal.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Scene {
  confirmation: Confirmation;
  decisions: Decision[];
  /** The directions in which the person went through the review. */
  steps: Step['to'][];
  /** How often the core was told that the confirmation was seen. */
  seen: () => number;
  at: (ms: number) => void;
  press: () => Promise<void>;
  emitWaiting: (count: number) => void;
  closings: () => number;
}

/** A page with a core that acknowledges at once and answers as the options determine. */
async function scene(options: {
  display?: ReturnType<typeof exampleDisplay>;
  answer?: () => DecisionResult | Promise<DecisionResult>;
  /** The display from the person's first press on. */
  ended?: ReturnType<typeof exampleDisplay>;
  seenFails?: boolean;
  step?: () => Promise<Stepped>;
  progress?: () => ReviewProgress;
}): Promise<Scene> {
  const { display = exampleDisplay(), seenFails = false } = options;
  const decisions: Decision[] = [];
  const steps: Step['to'][] = [];
  let nowMs = 1000;
  let seen = 0;
  let closings = 0;
  let emitWaiting = (_count: number): void => {};
  const bridge: ConfirmBridge = {
    open: async () => display,
    look: async () => (decisions.length + steps.length > 0 ? options.ended : undefined) ?? display,
    async seen() {
      seen += 1;
      if (seenFails) throw new AppError('core_unreachable');
    },
    picture: () => Promise.reject(new AppError('picture_unknown')),
    targets: () => Promise.reject(new AppError('display_unknown')),
    prepareAgain: () => Promise.reject(new AppError('prepare_again_impossible')),
    undo: () => Promise.reject(new AppError('undo_impossible')),
    step({ to }) {
      steps.push(to);
      return options.step?.() ?? Promise.reject(new AppError('display_unknown'));
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
    steps,
    seen: () => seen,
    emitWaiting: (count) => emitWaiting(count),
    closings: () => closings,
    at: (ms) => void (nowMs = ms),
    async press() {
      const press = { choice: 'approve', by: 'pointer', trusted: true, atMs: nowMs } as const;
      confirmation.handleGesture({ kind: 'pressed', repeated: false, ...press });
      confirmation.handleGesture({ kind: 'released', ...press });
      await settled();
    },
  };
}

test('a click after the delay sends the display’s id, nonce and fingerprint', async () => {
  const { decisions, at, press, confirmation } = await scene({});
  at(1500);
  await press();
  expect(decisions).toEqual([
    {
      displayId: 'display-1',
      nonce: 'nonce of display-1',
      fingerprint: 'f'.repeat(64),
      decision: 'approve',
      reason: null,
      typed: null,
    },
  ]);
  expect(confirmation.state().flow.kind).toBe('rested');
});

test('the buttons stay unarmed until the core was told that the display is visible', async () => {
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
  'a window that is reused while it opens shows the later change, also if the earlier request is answered %s',
  async (_, order) => {
    const answers: ((display: ReturnType<typeof exampleDisplay>) => void)[] = [];
    let reuse = (): void => {};
    const bridge: ConfirmBridge = {
      open: () => new Promise((resolve) => void answers.push(resolve)),
      look: async ({ displayId }) => exampleDisplay({}, displayId),
      seen: async () => {},
      picture: () => Promise.reject(new AppError('picture_unknown')),
      targets: () => Promise.reject(new AppError('display_unknown')),
      prepareAgain: () => Promise.reject(new AppError('prepare_again_impossible')),
      undo: () => Promise.reject(new AppError('undo_impossible')),
      step: () => Promise.reject(new AppError('display_unknown')),
      progress: () => Promise.reject(new AppError('display_unknown')),
      decide: () => Promise.reject(new AppError('display_unknown')),
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
      answers[which]?.(exampleDisplay({}, which === 0 ? 'earlier' : 'later'));
      await settled();
    }
    stop();
    expect(confirmation.state().flow).toMatchObject({ kind: 'asking', display: { displayId: 'later' } });
  },
);

test('the reason is sent with Deny and never with Approve', async () => {
  const denied = await scene({});
  denied.at(1500);
  denied.confirmation.giveReason('  too expensive ');
  denied.confirmation.handleGesture({
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

test('the page shows how many other proposals wait, and asks its host to close the window', async () => {
  const { confirmation, emitWaiting, closings } = await scene({});
  expect(confirmation.state().waiting).toBe(0);
  emitWaiting(2);
  expect(confirmation.state().waiting).toBe(2);
  confirmation.close();
  expect(closings()).toBe(1);
});

describe('a review', () => {
  const review = exampleReview({ identical: 2 });
  const first = { ...exampleDisplay(), review };
  const next = { ...exampleDisplay({ id: 'proposal-2' }, 'display-2'), review };

  test('moves on only while the buttons are armed, and the next change starts unarmed with empty fields', async () => {
    const { confirmation, steps, decisions, at, press } = await scene({
      display: first,
      step: async () => ({ display: next, review }),
    });
    at(1499);
    confirmation.step('next');
    expect(steps).toEqual([]);
    at(1500);
    confirmation.giveReason('for the first one');
    confirmation.step('previous');
    expect(steps).toEqual([]);
    confirmation.step('together');
    confirmation.step('next');
    await press();
    expect(steps).toEqual(['together']);
    expect(confirmation.state()).toMatchObject({
      flow: { kind: 'asking', display: { displayId: 'display-2' } },
      reason: '',
      stepping: false,
    });
    await press();
    expect(decisions).toEqual([]);
    at(2000);
    await press();
    expect(decisions).toMatchObject([{ displayId: 'display-2', continueReview: true }]);
  });

  test('moves on after a decision, and a key that is still held decides nothing about the next change', async () => {
    const { confirmation, decisions, steps, seen, at, press } = await scene({
      display: first,
      answer: () => ({
        proposal: exampleProposal({ state: 'approved' }),
        again: null,
        review,
        next: { display: next, review },
      }),
    });
    at(1500);
    confirmation.giveReason('for the first one');
    const before = seen();
    await press();
    expect(decisions).toMatchObject([{ displayId: 'display-1', continueReview: true }]);
    expect(steps).toEqual([]);
    expect(seen()).toBe(before + 1);
    expect(confirmation.state()).toMatchObject({
      flow: { kind: 'asking', display: { displayId: 'display-2' } },
      reason: '',
    });
    const held = { trusted: true, repeated: true, atMs: 9000 } as const;
    at(9000);
    confirmation.handleGesture({ kind: 'pressed', choice: 'approve', by: 'space', ...held });
    confirmation.handleGesture({
      kind: 'released',
      choice: 'approve',
      by: 'space',
      trusted: true,
      atMs: 9000,
    });
    confirmation.handleGesture({ kind: 'entered', choice: 'deny', ...held });
    await settled();
    expect(decisions).toHaveLength(1);
  });

  test('asks to undo a decided change from armed buttons only, and never twice at once', async () => {
    const decided = [exampleDecided({ state: 'verified', canUndo: true })];
    const { confirmation, steps, at } = await scene({
      display: { ...first, review: exampleReview({ decided }) },
      step: async () => ({ display: next, review }),
    });
    confirmation.undoDecided('proposal-0');
    expect(steps).toEqual([]);
    at(1500);
    confirmation.undoDecided('proposal-0');
    confirmation.undoDecided('proposal-0');
    await settled();
    expect(steps).toEqual(['undo']);
    expect(confirmation.state().flow).toMatchObject({ kind: 'asking', display: { displayId: 'display-2' } });
  });

  test.each([true, false])('splits a batch only if the core offers that (%s)', async (canPart) => {
    const { confirmation, steps, at } = await scene({
      display: { ...first, review: exampleReview({ canPart }) },
      step: async () => ({ display: next, review }),
    });
    at(1500);
    confirmation.step('singly');
    await settled();
    expect(steps).toEqual(canPart ? ['singly'] : []);
  });

  test('that cannot move on keeps the question armed, and shows the reason', async () => {
    const { confirmation, decisions, at, press } = await scene({
      display: first,
      step: () => Promise.reject(new AppError('batch_unequal')),
    });
    at(1500);
    confirmation.step('together');
    await settled();
    expect(confirmation.state().flow).toMatchObject({ kind: 'asking', problem: { blocking: false } });
    await press();
    expect(decisions).toHaveLength(1);
  });

  test.each([
    ['decision', 'not_signed_in'],
    ['decision', 'proposal_expired'],
    ['step', 'proposal_not_waiting'],
  ] as const)(
    'whose change had ended before a %s, refused with %s, continues from that end',
    async (press, code) => {
      const withdrawn = { ...first, proposal: exampleProposal({ state: 'withdrawn' }) };
      const shown = await scene({
        display: first,
        ended: withdrawn,
        answer: () => Promise.reject(new AppError(code)),
        step: () => Promise.reject(new AppError(code)),
      });
      const { confirmation, steps, at } = shown;
      at(1500);
      if (press === 'decision') await shown.press();
      else confirmation.step('next');
      await settled();
      expect(confirmation.state()).toMatchObject({
        flow: { kind: 'rested', proposal: withdrawn.proposal, after: { from: withdrawn, review } },
        stepping: false,
      });
      confirmation.step('next');
      expect(steps.at(-1)).toBe('next');
    },
  );

  test('moves on from an outcome, and ends with a summary', async () => {
    const ended = exampleReview({ hasNext: false, waiting: 0, approved: 3 });
    const { confirmation, steps, at, press } = await scene({
      display: first,
      answer: () => ({ proposal: exampleProposal({ state: 'verified' }), again: null, review }),
      step: async () => ({ display: null, review: ended }),
    });
    at(1500);
    await press();
    expect(confirmation.state().flow).toMatchObject({ kind: 'rested', after: { review } });
    confirmation.step('later');
    confirmation.step('next');
    await settled();
    expect(steps).toEqual(['next']);
    expect(confirmation.state().flow).toMatchObject({ kind: 'summary', after: { review: ended } });
    confirmation.step('next');
    expect(steps).toHaveLength(1);
  });

  test('updates its position without arming the buttons again', async () => {
    const { confirmation, seen } = await scene({ display: first });
    const before = seen();
    const flow = confirmation.state().flow;
    const moved = { ...first, review: exampleReview({ total: 9 }) };
    const after = stepFlow(flow, { kind: 'looked', display: moved });
    expect(after).toMatchObject({ kind: 'asking', display: { review: { total: 9 } } });
    expect(asksAnew(flow, after)).toBe(false);
    expect(seen()).toBe(before);
  });
});
