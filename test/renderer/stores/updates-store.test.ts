import { expect, test } from 'vitest';
import { createUpdatesStore, type UpdatesHost } from '#renderer/stores/desktop-store.ts';
import { AppError } from '#shared/errors/index.ts';
import type { AskDesktop, DesktopRequest, UpdatesView } from '#shared/host-api/index.ts';

const view = (state: UpdatesView['state']): UpdatesView => ({
  version: '1.0.0',
  state,
  lookedAtMs: null,
  daily: true,
});

function host(change: Partial<UpdatesHost> = {}) {
  let listener: (view: UpdatesView) => void = () => {};
  const asked: unknown[] = [];
  const made: UpdatesHost = {
    ask: (async (name: DesktopRequest, input: unknown) => {
      if (name === 'desktop.updates') return view({ kind: 'idle' });
      asked.push([name, input]);
      return null;
    }) as AskDesktop,
    onUpdates: (next) => {
      listener = next;
      return () => void (listener = () => {});
    },
    ...change,
  };
  return { host: made, asked, say: (next: UpdatesView) => listener(next) };
}

test('the page shows the state of updates and requests each step of an update', async () => {
  const desktop = host();
  const { getState } = createUpdatesStore(desktop.host);
  const stop = getState().start();
  await expect.poll(() => getState().view?.state).toEqual({ kind: 'idle' });
  desktop.say(view({ kind: 'looking' }));
  expect(getState().view?.state).toEqual({ kind: 'looking' });
  await getState().step('look');
  await getState().setDaily(false);
  expect(desktop.asked).toEqual([
    ['desktop.stepUpdates', { step: 'look' }],
    ['desktop.setDailyUpdates', { daily: false }],
  ]);
  stop();
  desktop.say(view({ kind: 'idle' }));
  expect(getState().view?.state).toEqual({ kind: 'looking' });
});

test('a change that arrives before the first answer is not overwritten by that answer', async () => {
  const answer = Promise.withResolvers<UpdatesView>();
  const desktop = host({ ask: (() => answer.promise) as AskDesktop });
  const { getState } = createUpdatesStore(desktop.host);
  getState().start();
  desktop.say(view({ kind: 'looking' }));
  answer.resolve(view({ kind: 'idle' }));
  await answer.promise;
  await Promise.resolve();
  expect(getState().view?.state).toEqual({ kind: 'looking' });
});

test('a refused step is reported, and there are no updates without a desktop', async () => {
  const refusing = host({ ask: () => Promise.reject(new AppError('core_unreachable')) });
  const { getState } = createUpdatesStore(refusing.host);
  await getState().step('look');
  expect(getState().failure?.code).toBe('core_unreachable');

  const none = createUpdatesStore(null);
  none.getState().start();
  await none.getState().step('look');
  expect(none.getState()).toMatchObject({ view: null, failure: null });
});
