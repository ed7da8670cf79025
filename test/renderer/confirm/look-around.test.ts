import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ConfirmBridge } from '#renderer/api/confirm-bridge.ts';
import { canChoose, createConfirmation } from '#renderer/confirm/confirmation.ts';
import { exampleShowing } from '#test/fixtures/proposal.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A page that is on, with a clock of input events that the test moves by itself. */
async function openPage(attentive: boolean) {
  const page = { attentive, nowMs: 1000, seen: 0 };
  const bridge: Partial<ConfirmBridge> = {
    open: async () => exampleShowing({ state: 'proposed', updatedAtMs: 1 }),
    look: async () =>
      page.seen === 0
        ? exampleShowing({ state: 'proposed', updatedAtMs: 1 })
        : exampleShowing({ state: 'shown', updatedAtMs: 2 }),
    seen: async () => void (page.seen += 1),
    onReopened: () => () => {},
    onWaiting: () => () => {},
  };
  const confirmation = createConfirmation({
    bridge: bridge as ConfirmBridge,
    monotonicMs: () => page.nowMs,
    wallMs: () => 1_100_000,
    isAttentive: () => page.attentive,
  });
  const drawn: boolean[] = [];
  const stop = confirmation.start();
  await vi.advanceTimersByTimeAsync(0);
  confirmation.subscribe(() => drawn.push(canChoose(confirmation.state(), 'deny', page.nowMs)));
  return { page, confirmation, drawn, stop };
}

test('an attention without an event is found, and the buttons arm after the whole delay', async () => {
  const { page, confirmation, stop } = await openPage(false);
  page.attentive = true;
  await vi.advanceTimersByTimeAsync(250);
  expect(page.seen).toBe(3);
  expect(canChoose(confirmation.state(), 'deny', page.nowMs + 499)).toBe(false);
  expect(canChoose(confirmation.state(), 'deny', page.nowMs + 500)).toBe(true);
  stop();
});

test('what being seen changes is learned before the buttons arm, and no heartbeat arms them anew', async () => {
  const { page, confirmation, stop } = await openPage(true);
  expect(confirmation.state().flow).toMatchObject({ showing: { proposal: { state: 'shown' } } });
  const { appearance } = confirmation.state().gesture;
  page.nowMs = 1500;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(confirmation.state().gesture.appearance).toBe(appearance);
  expect(canChoose(confirmation.state(), 'deny', page.nowMs)).toBe(true);
  stop();
});

test('a page that has no attention stays unarmed, however long it waits', async () => {
  const { page, confirmation, stop } = await openPage(false);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(page.seen).toBe(2);
  expect(canChoose(confirmation.state(), 'deny', page.nowMs + 60_000)).toBe(false);
  stop();
});

test('buttons that armed later than the timer of their redraw are drawn all the same', async () => {
  const { page, drawn, stop } = await openPage(true);
  await vi.advanceTimersByTimeAsync(600);
  expect(drawn).not.toContain(true);
  page.nowMs = 1500;
  await vi.advanceTimersByTimeAsync(250);
  expect(drawn.at(-1)).toBe(true);
  stop();
});
