import { appBridge, firstScreen } from '#renderer/api/app-bridge.ts';
import { routeHref } from './ui/route.ts';
import { serviceDay } from '#shared/campaign/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppBridge, Connection } from '#renderer/api/bridge.ts';
import type { AppEvent, AppOutput, ProfileView, StatusView } from '#shared/app-api/index.ts';
import type { AppError, ErrorCode } from '#shared/errors/index.ts';
import type { FirstScreen } from '#shared/host-api/index.ts';
import { type Formats, type ShownFormats, formatsOf, defaultFormats } from '#shared/lib/formats.ts';
import { asFailure, readAgain, readInto, stopAll } from './follow-core.ts';

type Session = AppOutput<'session.get'>;

type KeptCounts = Pick<FirstScreen, 'keptAtMs' | 'waiting' | 'drafts'>;

export interface SessionState {
  session: Session | null;
  status: StatusView | null;
  /** Counts of the last run, until the core has answered. */
  kept: KeptCounts | null;
  connection: Connection;
  failure: AppError | null;
  /** True while the page reloads for another profile, account or data folder, whose predecessor's data must not be shown. */
  isReloading: boolean;
  reload: (place?: ReloadPlace) => void;
  seeFirstStart: () => void;
  formatsFailure: AppError | null;
  chooseFormats: (formats: ShownFormats) => Promise<void>;
  start: () => () => void;
}

export type ReloadPlace = 'campaigns' | 'same page';

/** Polls, because a change of latency causes no event. */
const statusEveryMs = 15_000;

/** Polls more often while the service is unreachable, so that its return is noticed soon. */
const awayEveryMs = 5_000;

const statusEvents: ReadonlySet<AppEvent['kind']> = new Set<AppEvent['kind']>([
  'status.changed',
  'proposals.changed',
  'ledger.changed',
]);

/** True if rows of one also belong to the other: one profile and one account. */
function isSameBook(before: ProfileView, now: ProfileView): boolean {
  return before.id === now.id && (before.account === '' || before.account === now.account);
}

function seen(session: Session): Session {
  const { isFirstStart: _seen, ...rest } = session;
  return rest;
}

/** `beginAnew` reloads the page. */
export function createSessionStore(
  bridge: AppBridge,
  beginAnew: (place: ReloadPlace) => void,
  kept: FirstScreen | null = null,
): StoreApi<SessionState> {
  return createStore<SessionState>((set, get) => {
    let hasSeenFirstStart = false;

    async function readSession(): Promise<Partial<SessionState>> {
      const session = await bridge.call('session.get', {});
      // The page is about to reload and must not store anything of this session.
      if (get().isReloading) return {};
      const before = get().session;
      if (before === null || isSameBook(before.profile, session.profile))
        return { session: hasSeenFirstStart ? seen(session) : session };
      get().reload();
      return {};
    }

    const readStatus = readAgain(async () => {
      if (get().isReloading) return;
      await readInto(set, async () => ({ status: await bridge.call('session.status', {}), kept: null }));
    });
    const readAll = readAgain(async () => {
      if (await readInto(set, readSession)) readStatus();
    });
    const readDue = (): void => (get().session === null ? readAll() : readStatus());

    return {
      session: kept && {
        version: kept.version,
        host: 'desktop',
        profile: kept.profile,
        formats: kept.formats,
      },
      kept,
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
        // If this could not be stored, the first screen returns at the next start.
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

/** The default formats until the session is read. */
export function formatsIn({ session }: Pick<SessionState, 'session'>): Formats {
  return session === null ? defaultFormats : formatsOf(session.formats, session.profile.zone);
}

/** 0 except in free practice. */
export function serviceAheadMs({ session }: Pick<SessionState, 'session'>): number {
  return session?.serviceAheadMs ?? 0;
}

export function serviceToday(state: Pick<SessionState, 'session'>): string {
  return serviceDay(Date.now() + serviceAheadMs(state), state.session?.profile.zone ?? 'UTC').date;
}

/** The remedy in the profile for failures that a new read cannot fix. */
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

/** Null if a new read may help. Without a failure, the remedy depends on the state of the service. */
export function profileStep(
  { session, status }: Pick<SessionState, 'session' | 'status'>,
  code: ErrorCode | null,
): string | null {
  if (session?.profile.kind !== 'live') return null;
  if (code !== null) return steps[code] ?? null;
  return status?.service.state === 'signed-out' ? 'Check member token' : null;
}

export const sessionStore = createSessionStore(appBridge, beginAnew, firstScreen);

/** Reloads the page, so that no data of another profile survives. */
function beginAnew(place: ReloadPlace): void {
  if (place === 'campaigns') location.hash = routeHref({ page: 'campaigns', cid: null });
  location.reload();
}
