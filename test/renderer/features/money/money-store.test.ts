import { expect, onTestFinished, test, vi } from 'vitest';
import { createMoneyStore } from '#renderer/features/money/stores/money-store.ts';
import { createCampaignsStore } from '#renderer/stores/campaigns/campaigns-store.ts';
import type { AppEvent, MoneyToday } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { fakeBridge, type FakeBridge } from '../../support/fake-bridge.ts';

const dayLeftMs = 3_600_000;

function figures(waiting: string): MoneyToday {
  const none = { micros: '0', unlimited: 0 };
  return { campaigns: null, waiting: { ...none, micros: waiting }, byAgents: none, dayLeftMs };
}

interface Scene {
  bridge: FakeBridge;
  money: ReturnType<typeof createMoneyStore>;
  list: ReturnType<typeof createCampaignsStore>;
  page: EventTarget & { hidden: boolean };
  stop: () => void;
}

async function scene(answer: () => MoneyToday): Promise<Scene> {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const bridge = fakeBridge({ 'money.today': answer });
  const list = createCampaignsStore(bridge);
  const page = Object.assign(new EventTarget(), { hidden: false });
  const money = createMoneyStore(bridge, list, page);
  const stop = money.getState().start();
  bridge.connect({ kind: 'connected' });
  await vi.advanceTimersByTimeAsync(1_000);
  return { bridge, money, list, page, stop };
}

test.each<AppEvent>([
  { kind: 'campaigns.changed', cids: [7] },
  { kind: 'campaigns.loading' },
  { kind: 'campaigns.searching' },
  { kind: 'proposals.changed', id: 'p' },
  { kind: 'profiles.changed' },
])('the money line is read again after $kind, and not without an event', async (event) => {
  let waiting = '1';
  const { bridge, money } = await scene(() => figures(waiting));
  waiting = '2';
  await vi.advanceTimersByTimeAsync(dayLeftMs / 2);
  expect(bridge.asked).toHaveLength(1);
  bridge.emit(event);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(money.getState().money?.waiting.micros).toBe('2');
});

test('the money line is read again when a page of the list was read and when the day ends, until it is stopped', async () => {
  const { bridge, list, stop } = await scene(() => figures('1'));
  list.setState({ list: { pages: new Map(), total: 0 } });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(bridge.asked).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(dayLeftMs);
  expect(bridge.asked).toHaveLength(3);
  stop();
  await vi.advanceTimersByTimeAsync(2 * dayLeftMs);
  expect(bridge.asked).toHaveLength(3);
});

test('figures that cannot be read show their failure until a read succeeds', async () => {
  let isAway = true;
  const { bridge, money } = await scene(() => {
    if (isAway) throw new AppError('disk_full');
    return figures('1');
  });
  expect(money.getState()).toMatchObject({ money: null, failure: { code: 'disk_full' } });
  isAway = false;
  bridge.emit({ kind: 'campaigns.changed', cids: [] });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(money.getState()).toMatchObject({ failure: null, money: { waiting: { micros: '1' } } });
});

test('figures that could not be read are requested again only when the page is shown or the connection returns', async () => {
  let isAway = true;
  const { bridge, money, page, stop } = await scene(() => {
    if (isAway) throw new AppError('disk_full');
    return figures('1');
  });
  const shows = async (hidden: boolean): Promise<void> => {
    page.hidden = hidden;
    page.dispatchEvent(new Event('visibilitychange'));
    await vi.advanceTimersByTimeAsync(1_000);
  };
  await vi.advanceTimersByTimeAsync(dayLeftMs);
  await shows(true);
  expect(bridge.asked).toHaveLength(1);
  bridge.connect({ kind: 'connecting' });
  bridge.connect({ kind: 'connected' });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(bridge.asked).toHaveLength(2);
  isAway = false;
  await shows(false);
  expect(money.getState()).toMatchObject({ failure: null, money: { waiting: { micros: '1' } } });
  await shows(false);
  stop();
  await shows(false);
  expect(bridge.asked).toHaveLength(3);
});
