import { expect, test } from 'vitest';
import type { Connection } from '#renderer/api/bridge.ts';
import { createDesktopBridge } from '#renderer/api/app-bridge.ts';
import type { AppEvent, AppRequest } from '#shared/app-api/index.ts';
import { AppError, encodeError } from '#shared/errors/index.ts';
import type { HostAnswer, CoreState } from '#shared/host-api/index.ts';
import { sentence } from '#shared/lib/sentence.ts';

/** A preload script whose core gives this answer to every request, and sends the events of the test. */
function preloadWith(answer: () => Promise<HostAnswer>) {
  const asked: { name: AppRequest; input: unknown }[] = [];
  let hearEvent: (event: AppEvent) => void = () => {};
  let hearState: (state: CoreState) => void = () => {};
  return {
    asked,
    ask(name: AppRequest, input: unknown) {
      asked.push({ name, input });
      return answer();
    },
    onEvent: (listener: (event: AppEvent) => void) => {
      hearEvent = listener;
      return () => {};
    },
    onCoreState: (listener: (state: CoreState) => void) => {
      hearState = listener;
      return () => {};
    },
    say: (event: AppEvent) => hearEvent(event),
    stand: (state: CoreState) => hearState(state),
  };
}

const silent = async (): Promise<HostAnswer> => ({ output: null });

test('a request reaches the host under its name, and its complete answer is returned', async () => {
  const preload = preloadWith(async () => ({ output: { address: null } }));
  const bridge = createDesktopBridge(preload);
  expect(await bridge.call('proposals.review', { id: 'p1' })).toEqual({ address: null });
  expect(preload.asked).toEqual([{ name: 'proposals.review', input: { id: 'p1' } }]);
});

test('a failure of the core arrives with its code, its words and its fields', async () => {
  const failure = new AppError('validation_failed', {
    fields: [{ field: 'payout', code: 'out_of_range', message: sentence`Too low.` }],
  });
  const bridge = createDesktopBridge(preloadWith(async () => ({ error: encodeError(failure) })));
  await expect(bridge.call('session.get', {})).rejects.toMatchObject({
    code: 'validation_failed',
    fields: [{ field: 'payout' }],
  });
});

test('a host that no longer answers is reported as an unreachable core', async () => {
  const bridge = createDesktopBridge(
    preloadWith(() => Promise.reject(new Error('Error invoking remote method'))),
  );
  await expect(bridge.call('session.get', {})).rejects.toMatchObject({ code: 'core_unreachable' });
});

const failure = encodeError(new AppError('data_folder_locked'));

test.each<[CoreState, Connection]>([
  [{ kind: 'ready' }, { kind: 'connected' }],
  [
    { kind: 'restarting', sinceMs: 7, attempt: 1, nextTryAtMs: 9 },
    { kind: 'lost', sinceMs: 7 },
  ],
  [
    { kind: 'stopped', sinceMs: 7, failure },
    { kind: 'stopped', failure: new AppError('data_folder_locked') },
  ],
])('a core that is %o makes the page %o', async (state, connection) => {
  const preload = preloadWith(silent);
  const bridge = createDesktopBridge(preload);
  const seen: Connection[] = [];
  bridge.onConnection((next) => seen.push(next));
  await bridge.start();
  expect(bridge.connection()).toEqual({ kind: 'connecting' });
  preload.stand({ kind: 'starting' });
  preload.stand(state);
  expect(bridge.connection()).toEqual(connection);
  expect(seen).toEqual([connection]);
});

test('a core that restarts is reported as connected, so that pages read again', async () => {
  const preload = preloadWith(silent);
  const bridge = createDesktopBridge(preload);
  const seen: string[] = [];
  bridge.onConnection(({ kind }) => seen.push(kind));
  await bridge.start();
  preload.stand({ kind: 'ready' });
  preload.stand({ kind: 'restarting', sinceMs: 1, attempt: 1, nextTryAtMs: 2 });
  preload.stand({ kind: 'restarting', sinceMs: 1, attempt: 2, nextTryAtMs: 3 });
  preload.stand({ kind: 'ready' });
  expect(seen).toEqual(['connected', 'lost', 'connected']);
});

test('events reach every listener, until it unsubscribes', async () => {
  const preload = preloadWith(silent);
  const bridge = createDesktopBridge(preload);
  const heard: AppEvent[] = [];
  const stop = bridge.subscribe((event) => heard.push(event));
  await bridge.start();
  preload.say({ kind: 'ledger.changed' });
  stop();
  preload.say({ kind: 'status.changed' });
  expect(heard).toEqual([{ kind: 'ledger.changed' }]);
});
