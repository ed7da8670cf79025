import type { AppEvent, AppInput, AppOutput, AppRequest } from '#shared/app-api/index.ts';
import { decodeError } from '#shared/errors/index.ts';
import type { AppPreload, CoreState } from '#shared/host-api/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import { type AppBridge, type Connection, outputOfHost, watchedConnection } from './bridge.ts';
import { appPreload } from './desktop-host.ts';
import { createHttpBridge } from './http-bridge.ts';

export function createDesktopBridge(preload: Pick<AppPreload, 'ask' | 'onEvent' | 'onCoreState'>): AppBridge {
  const events = new Set<(event: AppEvent) => void>();
  const connection = watchedConnection();
  let isStarted = false;

  return {
    async call<R extends AppRequest>(name: R, input: AppInput<R>): Promise<AppOutput<R>> {
      return (await outputOfHost(preload.ask(name, input))) as AppOutput<R>;
    },
    subscribe(listener) {
      events.add(listener);
      return () => events.delete(listener);
    },
    connection: connection.now,
    onConnection: connection.watch,
    async start() {
      if (isStarted) return;
      isStarted = true;
      preload.onEvent((event) => events.forEach((hear) => hear(event)));
      preload.onCoreState((state) => connection.become(connectionOf(state)));
    },
  };
}

function connectionOf(state: CoreState): Connection {
  switch (state.kind) {
    case 'starting':
      return { kind: 'connecting' };
    case 'ready':
      return { kind: 'connected' };
    case 'restarting':
      return { kind: 'lost', sinceMs: state.sinceMs };
    case 'stopped':
      return { kind: 'stopped', failure: decodeError(state.failure) };
    default:
      return assertNever(state);
  }
}

const preload = appPreload();

/** The app page's bridge. Stores take a bridge as an argument, so that tests can pass their own. */
export const appBridge: AppBridge = preload ? createDesktopBridge(preload) : createHttpBridge();
