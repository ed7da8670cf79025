import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ConfirmBridge } from '#renderer/api/confirm-bridge.ts';
import { createConfirmation } from '#renderer/confirm/state/confirmation.ts';
import { canChoose } from '#renderer/confirm/state/confirmation-state.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Display } from '#shared/host-api/index.ts';
import { exampleDisplay } from '#test/fixtures/proposal.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An active page with a clock of input events that the test advances. */
async function openPage(attentive: boolean, approvalEndsAtMs?: number) {
  const page = { attentive, nowMs: 1000, seen: 0, wallMs: 1_100_000, prepared: 0 };
  const ends = approvalEndsAtMs === undefined ? {} : { approvalEndsAtMs };
  const bridge: Partial<ConfirmBridge> = {
    open: async () => exampleDisplay({ state: 'proposed', updatedAtMs: 1, ...ends }),
    look: async () =>
      page.seen === 0
        ? exampleDisplay({ state: 'proposed', updatedAtMs: 1, ...ends })
        : exampleDisplay({ state: 'shown', updatedAtMs: 2, ...ends }),
    seen: async () => void (page.seen += 1),
    undo: () => Promise.reject(new Error('No undo here')),
    async prepareAgain() {
      page.prepared += 1;
      return exampleDisplay({ id: 'proposal-2' }, 'display-2');
    },
    onReopened: () => () => {},
    onWaiting: () => () => {},
  };
  const confirmation = createConfirmation({
    bridge: bridge as ConfirmBridge,
    monotonicMs: () => page.nowMs,
    wallMs: () => page.wallMs,
    isAttentive: () => page.attentive,
  });
  const drawn: boolean[] = [];
  const stop = confirmation.start();
  await vi.advanceTimersByTimeAsync(0);
  confirmation.subscribe(() => drawn.push(canChoose(confirmation.state(), 'deny', page.nowMs)));
  return { page, bridge, confirmation, drawn, stop };
}

test('the page notices attention that no event reported, and the buttons arm after the complete delay', async () => {
  const { page, confirmation, stop } = await openPage(false);
  page.attentive = true;
  await vi.advanceTimersByTimeAsync(250);
  expect(page.seen).toBe(3);
  expect(canChoose(confirmation.state(), 'deny', page.nowMs + 499)).toBe(false);
  expect(canChoose(confirmation.state(), 'deny', page.nowMs + 500)).toBe(true);
  stop();
});

test('the state “shown” arrives before the buttons arm, and later status checks do not arm them again', async () => {
  const { page, confirmation, stop } = await openPage(true);
  expect(confirmation.state().flow).toMatchObject({ display: { proposal: { state: 'shown' } } });
  const { appearance } = confirmation.state().gesture;
  page.nowMs = 1500;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(confirmation.state().gesture.appearance).toBe(appearance);
  expect(canChoose(confirmation.state(), 'deny', page.nowMs)).toBe(true);
  stop();
});

test('a page without attention stays unarmed, however long it is open', async () => {
  const { page, confirmation, stop } = await openPage(false);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(page.seen).toBe(2);
  expect(canChoose(confirmation.state(), 'deny', page.nowMs + 60_000)).toBe(false);
  stop();
});

test('buttons that arm after their redraw timer are still drawn as armed', async () => {
  const { page, drawn, stop } = await openPage(true);
  await vi.advanceTimersByTimeAsync(600);
  expect(drawn).not.toContain(true);
  page.nowMs = 1500;
  await vi.advanceTimersByTimeAsync(250);
  expect(drawn.at(-1)).toBe(true);
  stop();
});

test('a late answer or failure of an earlier status check changes nothing', async () => {
  const displayAt = (updatedAtMs: number) => exampleDisplay({ state: 'shown', updatedAtMs });
  const looks: PromiseWithResolvers<Display>[] = [];
  const bridge: Partial<ConfirmBridge> = {
    open: async () => displayAt(1),
    seen: () => new Promise(() => {}),
    look() {
      const answer = Promise.withResolvers<Display>();
      looks.push(answer);
      return answer.promise;
    },
    onReopened: () => () => {},
    onWaiting: () => () => {},
  };
  const confirmation = createConfirmation({
    bridge: bridge as ConfirmBridge,
    monotonicMs: () => 1000,
    wallMs: () => 1_100_000,
    isAttentive: () => true,
  });
  const stop = confirmation.start();
  await vi.advanceTimersByTimeAsync(6_000);
  const [first, second, third] = looks;
  third?.resolve(displayAt(3));
  await vi.advanceTimersByTimeAsync(0);
  const { flow, gesture } = confirmation.state();
  expect(flow).toMatchObject({ kind: 'asking', display: { proposal: { updatedAtMs: 3 } } });
  first?.resolve(displayAt(2));
  second?.reject(new AppError('core_unreachable'));
  await vi.advanceTimersByTimeAsync(0);
  expect(confirmation.state().flow).toBe(flow);
  expect(confirmation.state().gesture).toBe(gesture);
  stop();
});

test('the service’s approval that expires while the page is open disarms only Approve, and the change is prepared again on request', async () => {
  const { page, confirmation, stop } = await openPage(true, 1_200_000);
  page.nowMs = 1500;
  await vi.advanceTimersByTimeAsync(600);
  expect(canChoose(confirmation.state(), 'approve', page.nowMs)).toBe(true);
  page.wallMs = 1_200_000;
  await vi.advanceTimersByTimeAsync(250);
  expect(confirmation.state().approvalEnded).toBe(true);
  expect(canChoose(confirmation.state(), 'approve', page.nowMs)).toBe(false);
  expect(canChoose(confirmation.state(), 'deny', page.nowMs)).toBe(true);
  expect(page.prepared).toBe(0);
  confirmation.prepareAgain();
  await vi.advanceTimersByTimeAsync(0);
  expect(page.prepared).toBe(1);
  expect(confirmation.state()).toMatchObject({
    approvalEnded: false,
    flow: { kind: 'asking', display: { displayId: 'display-2' } },
  });
  stop();
});

test('from its expiry on a question cannot be decided, and shows its end as soon as the core says it', async () => {
  const { page, bridge, confirmation, stop } = await openPage(true);
  page.nowMs = 1500;
  await vi.advanceTimersByTimeAsync(600);
  const { expiresAtMs } = exampleDisplay().proposal;
  const answer = Promise.withResolvers<Display>();
  bridge.look = () => answer.promise;
  page.wallMs = expiresAtMs;
  await vi.advanceTimersByTimeAsync(250);
  expect(confirmation.state().flow.kind).toBe('asking');
  for (const choice of ['approve', 'deny'] as const)
    expect(canChoose(confirmation.state(), choice, page.nowMs)).toBe(false);
  const ended = exampleDisplay({ state: 'expired', updatedAtMs: 3 });
  answer.resolve(ended);
  await vi.advanceTimersByTimeAsync(0);
  expect(confirmation.state().flow).toEqual({ kind: 'rested', proposal: ended.proposal, after: null });
  stop();
});

test('a window without a question makes no status checks until the next question', async () => {
  const bridge = openableBridge();
  const confirmation = createConfirmation({
    bridge: bridge.bridge,
    monotonicMs: () => 1000,
    wallMs: () => 1_100_000,
    isAttentive: () => true,
  });
  const stop = confirmation.start();
  await vi.advanceTimersByTimeAsync(10_000);
  expect([vi.getTimerCount(), bridge.looks()]).toEqual([0, 0]);
  bridge.show();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(bridge.looks()).toBeGreaterThanOrEqual(5);
  stop();
  expect(vi.getTimerCount()).toBe(0);
});

/** A bridge whose window is opened without a confirmation, and gets one later. */
function openableBridge() {
  let looks = 0;
  let isShown = false;
  let reopen = (): void => {};
  const display = exampleDisplay({ state: 'shown', updatedAtMs: 2 });
  const bridge: Partial<ConfirmBridge> = {
    open: () => (isShown ? Promise.resolve(display) : new Promise(() => {})),
    async look() {
      looks += 1;
      return display;
    },
    seen: async () => {},
    onReopened(listener) {
      reopen = listener;
      return () => {};
    },
    onWaiting: () => () => {},
  };
  return {
    bridge: bridge as ConfirmBridge,
    looks: () => looks,
    show() {
      isShown = true;
      reopen();
    },
  };
}
