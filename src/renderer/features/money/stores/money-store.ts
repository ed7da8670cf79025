import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { CampaignsStore } from '#renderer/stores/campaigns/campaigns-state.ts';
import { followEvent, readAgain, readInto, serviceEveryMs, stopAll } from '#renderer/stores/follow-core.ts';
import type { AppEvent, MoneyToday } from '#shared/app-api/index.ts';
import type { AppError } from '#shared/errors/index.ts';

export interface MoneyState {
  money: MoneyToday | null;
  failure: AppError | null;
  start: () => () => void;
}

const moneyEvents: AppEvent['kind'][] = [
  'campaigns.changed',
  'campaigns.loading',
  'campaigns.searching',
  'proposals.changed',
  'profiles.changed',
];

/** The core reads list pages without an event, so the store also follows `list`. */
export function createMoneyStore(
  bridge: AppBridge,
  list: Pick<CampaignsStore, 'subscribe'>,
  page: Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>,
): StoreApi<MoneyState> {
  return createStore<MoneyState>((set, get) => {
    let dayEnd: ReturnType<typeof setTimeout> | undefined;

    const read = readAgain(async () => {
      await readInto(set, async () => ({ money: await bridge.call('money.today', {}) }));
      clearTimeout(dayEnd);
      const { money } = get();
      if (money !== null) dayEnd = setTimeout(read, money.dayLeftMs);
    }, serviceEveryMs);

    const readAfterFailure = (): void => {
      if (!page.hidden && get().failure !== null) read();
    };

    return {
      money: null,
      failure: null,
      start() {
        page.addEventListener('visibilitychange', readAfterFailure);
        return stopAll(
          followEvent(bridge, moneyEvents, read),
          list.subscribe((now, before) => now.list !== before.list && read()),
          () => clearTimeout(dayEnd),
          () => page.removeEventListener('visibilitychange', readAfterFailure),
        );
      },
    };
  });
}
