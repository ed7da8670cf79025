import type { AppBridge, Connection } from '#renderer/api/bridge.ts';
import type { AppOutput, StatusView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';

/** Who the page works for and how everything stands: the title bar and the status bar. */
export interface SessionState {
  session: AppOutput<'session.get'> | null;
  status: StatusView | null;
  connection: Connection;
  failure: AppError | null;
  /** Opens the connection and keeps session and status current. Returns the way to stop. Call once. */
  start: () => () => void;
}

export type SessionStore = StoreApi<SessionState>;

/** The service's state is read again at this rate, because its latency changes without an event. */
const statusEveryMs = 15_000;

/** Makes the session store over a bridge. */
export function createSessionStore(bridge: AppBridge): SessionStore {
  return createStore<SessionState>((set, get) => {
    async function load(): Promise<void> {
      try {
        const session = get().session ?? (await bridge.call('session.get', {}));
        set({ session, failure: null });
        set({ status: await bridge.call('session.status', {}) });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        set({ failure: error });
      }
    }

    return {
      session: null,
      status: null,
      connection: bridge.connection(),
      failure: null,
      start() {
        const stopConnection = bridge.onConnection((connection) => {
          set({ connection });
          if (connection.kind === 'connected') void load();
        });
        const stopEvents = bridge.subscribe((event) => {
          if (event.kind !== 'campaigns.changed') void load();
        });
        const timer = setInterval(() => {
          if (get().connection.kind === 'connected') void load();
        }, statusEveryMs);
        void bridge.start().then(load);
        return () => {
          stopConnection();
          stopEvents();
          clearInterval(timer);
        };
      },
    };
  });
}
