import { appBridge } from '#renderer/api/app-bridge.ts';
import { routeHref } from './ui/route.ts';
import { serviceDay } from '#shared/campaign/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppBridge, Connection } from '#renderer/api/bridge.ts';
import type { AppEvent, AppOutput, ProfileView, StatusView } from '#shared/app-api/index.ts';
import type { AppError, ErrorCode } from '#shared/errors/index.ts';
import { type Formats, usualFormats } from '#shared/lib/formats.ts';
import { formatsOf, type ShownFormats } from '#shared/lib/shown-formats.ts';
import { asFailure, readAgain, readInto, stopAll } from './follow-core.ts';

type Session = AppOutput<'session.get'>;

/** The profile and the status: for the title bar and the status bar. */
export interface SessionState {
  session: Session | null;
  status: StatusView | null;
  connection: Connection;
  failure: AppError | null;
  /** Another profile, account or data folder is active: nothing of the one before may be shown, and the page begins anew. */
  isReloading: boolean;
  /** Begins anew, once: at the campaigns unless another place is named. */
  reload: (place?: ReloadPlace) => void;
  /** The first start screen is shown: it does not come by itself again. */
  seeFirstStart: () => void;
  /** Why numbers and moments could not be written in another way. */
  formatsFailure: AppError | null;
  /** Writes numbers and moments in another way, in every window. */
  chooseFormats: (formats: ShownFormats) => Promise<void>;
  /** Opens the connection and keeps session and status current. Returns the unsubscribe function. Call once. */
  start: () => () => void;
}

export type ReloadPlace = 'campaigns' | 'same page';

/** The service's state is read again at this rate, because its latency changes without an event. */
const statusEveryMs = 15_000;

/** While the service is away its return is looked for more often. */
const awayEveryMs = 5_000;

const statusEvents: ReadonlySet<AppEvent['kind']> = new Set<AppEvent['kind']>([
  'status.changed',
  'proposals.changed',
  'ledger.changed',
]);

/** True while the rows of one are the rows of the other: the same profile, and still the account that they were read from. */
function isSameBook(before: ProfileView, now: ProfileView): boolean {
  return before.id === now.id && (before.account === '' || before.account === now.account);
}

/** The session without its first start screen. */
function seen(session: Session): Session {
  const { isFirstStart: _seen, ...rest } = session;
  return rest;
}

/** Makes the session store over a bridge. `beginAnew` loads the page again. */
export function createSessionStore(
  bridge: AppBridge,
  beginAnew: (place: ReloadPlace) => void,
): StoreApi<SessionState> {
  return createStore<SessionState>((set, get) => {
    let hasSeenFirstStart = false;

    /** The session as it is now; a page that belongs to another profile is left. */
    async function readSession(): Promise<Partial<SessionState>> {
      const session = await bridge.call('session.get', {});
      // The page is on its way out, and what it did with this session would be remembered.
      if (get().isReloading) return {};
      const before = get().session;
      if (before === null || isSameBook(before.profile, session.profile))
        return { session: hasSeenFirstStart ? seen(session) : session };
      get().reload();
      return {};
    }

    const readStatus = readAgain(async () => {
      if (get().isReloading) return;
      await readInto(set, async () => ({ status: await bridge.call('session.status', {}) }));
    });
    const readAll = readAgain(async () => {
      if (await readInto(set, readSession)) readStatus();
    });
    const readDue = (): void => (get().session === null ? readAll() : readStatus());

    return {
      session: null,
      status: null,
      connection: bridge.connection(),
      failure: null,
      isReloading: false,
      formatsFailure: null,
      reload(place = 'campaigns') {
        if (get().isReloading) return;
        set({ isReloading: true });
        beginAnew(place);
      },
      seeFirstStart() {
        const { session } = get();
        if (session?.isFirstStart === undefined) return;
        hasSeenFirstStart = true;
        set({ session: seen(session) });
        // If it could not be stored, the screen comes once more at the next start.
        void bridge.call('session.seenFirstStart', {}).catch(() => undefined);
      },
      async chooseFormats(formats) {
        try {
          await bridge.call('session.setFormats', formats);
          set({ formatsFailure: null });
        } catch (error) {
          set({ formatsFailure: asFailure(error) });
        }
      },
      start() {
        set({ connection: bridge.connection() });
        const stopConnection = bridge.onConnection((connection) => {
          set({ connection });
          if (connection.kind === 'connected') readAll();
        });
        const stopEvents = bridge.subscribe((event) => {
          if (event.kind === 'profiles.changed' || event.kind === 'formats.changed') readAll();
          else if (statusEvents.has(event.kind)) readDue();
        });
        let waitedMs = 0;
        const timer = setInterval(() => {
          waitedMs += awayEveryMs;
          const { connection, status } = get();
          const isDue = waitedMs >= statusEveryMs || status?.service.state === 'unreachable';
          if (connection.kind !== 'connected' || !isDue) return;
          waitedMs = 0;
          readDue();
        }, awayEveryMs);
        void bridge.start().then(readAll);
        return stopAll(stopConnection, stopEvents, () => clearInterval(timer));
      },
    };
  });
}

/** How this window writes numbers and moments: in the usual way until the session is read. */
export function formatsIn({ session }: Pick<SessionState, 'session'>): Formats {
  return session === null ? usualFormats : formatsOf(session.formats, session.profile.zone);
}

/** Time by which the service's clock is ahead of this computer's, in milliseconds: 0 but in free practice. Its now is that much later. */
export function serviceAheadMs({ session }: Pick<SessionState, 'session'>): number {
  return session?.serviceAheadMs ?? 0;
}

export function serviceToday(state: Pick<SessionState, 'session'>): string {
  return serviceDay(Date.now() + serviceAheadMs(state), state.session?.profile.zone ?? 'UTC').date;
}

/** Buttons that lead to the profile when reading again cannot help. */
const steps: Partial<Record<ErrorCode, string>> = {
  credential_missing: 'Add member token',
  unauthenticated: 'Replace member token',
  secret_unreadable: 'Add it again',
  sign_in_needed: 'Sign in again',
  token_invalid: 'Sign in again',
  scope_missing: 'Sign in again',
  account_changed: 'Check the account',
  wrong_host: 'Check the addresses',
  discovery_failed: 'Check the addresses',
};

/**
 * The step that ends a failure, or null where reading again may. Without a failure it follows from the state of the
 * service: rows of earlier reads are shown. The Demo profile has nothing to set up.
 */
export function profileStep(
  { session, status }: Pick<SessionState, 'session' | 'status'>,
  code: ErrorCode | null,
): string | null {
  if (session?.profile.kind !== 'live') return null;
  if (code !== null) return steps[code] ?? null;
  return status?.service.state === 'signed-out' ? 'Check member token' : null;
}

export const sessionStore = createSessionStore(appBridge, beginAnew);

/** Loads the page again: nothing that it held of another profile survives. */
function beginAnew(place: ReloadPlace): void {
  if (place === 'campaigns') location.hash = routeHref({ page: 'campaigns', cid: null });
  location.reload();
}
