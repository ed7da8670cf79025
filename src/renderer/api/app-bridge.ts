import type { AppInput, AppOutput, AppRequest } from '#shared/app-api/index.ts';
import { decodeError } from '#shared/errors/index.ts';
import type { AppPreload, CoreState } from '#shared/host-api/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import { type AppBridge, type Connection, bridgeListeners, outputOfHost } from './bridge.ts';
import { appPreload } from './desktop-host.ts';
import { createHttpBridge } from './http-bridge.ts';

export function createDesktopBridge(preload: Pick<AppPreload, 'ask' | 'onEvent' | 'onCoreState'>): AppBridge {
  const { publish, become, ...listeners } = bridgeListeners();
  let isStarted = false;

  return {
    ...listeners,
    async call<R extends AppRequest>(name: R, input: AppInput<R>): Promise<AppOutput<R>> {
      return (await outputOfHost(preload.ask(name, input))) as AppOutput<R>;
    },
    async start() {
      if (isStarted) return;
      isStarted = true;
      preload.onEvent(publish);
      preload.onCoreState((state) => become(connectionOf(state)));
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
