import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { Credentials, Profile, Profiles } from '#core/profiles/index.ts';
import {
  type Grant,
  type GrantStore,
  type RemoteClient,
  type SignInProgress,
  callReadOnly,
  createRemoteClient,
  signIn,
} from '#core/service-client/index.ts';
import { type ExtraScope, type SignInView, extraScopes } from '#shared/app-api/index.ts';
import { AppError, encodeError } from '#shared/errors/index.ts';
import type { Connections } from './connections.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import { type JsonValue, isJsonObject } from '#shared/lib/json/json-value.ts';
import { sentence } from '#shared/lib/sentence.ts';

export interface SignInController extends AsyncDisposable {
  /**
   * Resolves before the sign-in ends. Fails with `sign_in_running`,
   * `profile_fixed`, `sign_in_not_needed`, `shutting_down`, or as `Profiles.open`.
   */
  start(wanted: { profileId: string; scopes: readonly ExtraScope[] }): SignInView;
  get(): SignInView | null;
  open(): SignInView | null;
  cancel(): SignInView | null;
  leave(profileId: string): Promise<void>;
}

interface SignInControllerOptions {
  profiles: Profiles;
  credentials: Pick<Credentials, 'held'>;
  grantsOf(profileId: string): GrantStore;
  connections: Pick<Connections, 'renew'>;
  openLink(address: string): Promise<boolean>;
  clock: Clock;
  logger: Logger;
  onChange(): void;
  requestTimeoutMs: number;
  timeoutMs?: number;
}

/** Default time limit: enough to find a password and a second factor. */
const defaultTimeoutMs = 5 * 60 * 1000;

interface UnderWay {
  attempt: Attempt;
  over: Promise<void>;
}

export function createSignInController(options: SignInControllerOptions): SignInController {
  const { profiles, grantsOf, connections, openLink, logger, onChange } = options;
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
  const underWay = new Set<UnderWay>();
  let last: Attempt | null = null;
  let disposed = false;

  const view = (): SignInView | null => last && { ...last.view };

  async function open(address: string): Promise<boolean> {
    try {
      return await openLink(address);
    } catch (failure) {
      logger.warn({ failure }, 'The browser could not be opened');
      return false;
    }
  }

  /** Replaces the connection before it reports success, so that no page uses the old access. */
  async function run(attempt: Attempt): Promise<void> {
    const { id } = attempt.profile;
    const grant = await runAttempt(attempt, { ...options, grants: grantsOf(id), open, timeoutMs });
    if (grant === null) return;
    await connections.renew(id);
    attempt.view = { ...attempt.view, ...notWaiting, state: 'done', scopes: [...grant.scopes] };
    onChange();
  }

  function assertMayStart(profile: Profile): void {
    if (disposed) throw new AppError('shutting_down');
    if (profile.kind === 'demo') throw new AppError('profile_fixed');
    if (profile.remoteAccess === 'direct-jwt') throw new AppError('sign_in_not_needed');
    if (last !== null && isRunning(last)) throw new AppError('sign_in_running');
  }

  async function endThose(which: (attempt: Attempt) => boolean): Promise<void> {
    const ending = [...underWay].filter(({ attempt }) => which(attempt));
    for (const { attempt } of ending) attempt.abort.abort();
    await Promise.all(ending.map(({ over }) => over));
  }

  return {
    start({ profileId, scopes }) {
      const profile = profiles.open(profileId);
      assertMayStart(profile);
      const attempt = newAttempt(profile, grantsOf(profileId), scopes);
      last = attempt;
      const entry: UnderWay = { attempt, over: run(attempt).finally(() => underWay.delete(entry)) };
      underWay.add(entry);
      onChange();
      return { ...attempt.view };
    },
    get: view,
    open() {
      const attempt = last;
      if (attempt !== null && attempt.view.address !== null) {
        void open(attempt.view.address).then((opened) => {
          if (attempt.view.state !== 'waiting') return;
          attempt.view = { ...attempt.view, opened };
          onChange();
        });
      }
      return view();
    },
    cancel() {
      if (last !== null && isRunning(last)) last.abort.abort();
      return view();
    },
    leave: (profileId) => endThose(({ profile }) => profile.id === profileId),
    async dispose() {
      disposed = true;
      await endThose(() => true);
    },
  };
}

export interface RemoteSignIn {
  /** `direct`: the member token gives access to the tools. */
  access: 'ready' | 'signed-out' | 'direct';
  granted: ExtraScope[];
  missing: ExtraScope[];
}

/** The scopes of a member token for the tools cannot be known before the service is asked. */
const direct: RemoteSignIn = { access: 'direct', granted: [], missing: [] };

/** The sign-in of a profile, without a request. Fails as `credentialsOf` does. */
export function remoteSignIn(
  connections: Pick<Connections, 'credentialsOf'>,
  profileId: string,
  needed: readonly ExtraScope[],
): RemoteSignIn {
  const { profile, access, grants } = connections.credentialsOf(profileId);
  if (profile.kind === 'demo') return { access: 'ready', granted: [...extraScopes], missing: [] };
  if (profile.remoteAccess === 'direct-jwt') return direct;
  const held = grants?.load();
  const scopes = held?.kind === 'held' ? held.grant.scopes : [];
  return {
    access: access === null ? 'signed-out' : 'ready',
    granted: extraScopes.filter((scope) => scopes.includes(scope)),
    missing: needed.filter((scope) => !scopes.includes(scope)),
  };
}

/** Fails with `sign_in_needed` or `scope_needed` unless the sign-in covers the needed scopes. */
export function assertCovered({ access, missing }: RemoteSignIn): void {
  if (access !== 'ready') throw new AppError('sign_in_needed');
  if (missing.length > 0) throw new AppError('scope_needed', { data: { scope: missing.join(' ') } });
}

interface Attempt {
  readonly profile: Profile;
  readonly abort: AbortController;
  view: SignInView;
}

interface AttemptOptions {
  profiles: Pick<Profiles, 'get' | 'setAccount'>;
  credentials: Pick<Credentials, 'held'>;
  grants: GrantStore;
  open(address: string): Promise<boolean>;
  timeoutMs: number;
  requestTimeoutMs: number;
  clock: Clock;
  logger: Logger;
  onChange(): void;
}

/** The scope of the read tools, which every sign-in requests (contract §5.3). */
const leastScope = 'svc:read';

const notWaiting = { address: null, endsAtMs: null } as const;

function newAttempt(profile: Profile, grants: GrantStore, wanted: readonly string[]): Attempt {
  const held = grants.load();
  const granted = held.kind === 'held' ? held.grant.scopes : [];
  const scopes = [...new Set([leastScope, ...granted, ...wanted])];
  const view: SignInView = {
    profileId: profile.id,
    scopes,
    state: 'preparing',
    opened: null,
    failure: null,
    ...notWaiting,
  };
  return { profile, abort: new AbortController(), view };
}

function isRunning({ view: { state } }: Attempt): boolean {
  return state === 'preparing' || state === 'waiting' || state === 'finishing';
}

async function runAttempt(attempt: Attempt, options: AttemptOptions): Promise<Grant | null> {
  const { profiles, grants, open, timeoutMs, requestTimeoutMs, clock, logger, onChange } = options;
  const { profile, abort, view } = attempt;
  const show = (change: Partial<SignInView>): void => {
    attempt.view = { ...attempt.view, ...change };
    onChange();
  };
  try {
    const grant = await signIn({
      mcpUrl: profile.addresses.mcpUrl,
      store: grants,
      scopes: view.scopes.filter((scope) => scope !== leastScope),
      open,
      identify: (accessToken) => identify(attempt, accessToken, options),
      onProgress: (progress) => show(shownOf(progress)),
      signal: abort.signal,
      timeoutMs,
      requestTimeoutMs,
      clock,
      logger,
    });
    if (grant.account !== null) profiles.setAccount(profile.id, grant.account);
    return grant;
  } catch (failure) {
    if (!(failure instanceof AppError)) logger.error({ failure }, 'A sign-in failed');
    show(shownFailure(failure));
    return null;
  }
}

function shownOf(progress: SignInProgress): Partial<SignInView> {
  switch (progress.kind) {
    case 'waiting':
      return { state: 'waiting', address: progress.address, endsAtMs: progress.endsAtMs };
    case 'opened':
      return { opened: progress.opened };
    case 'finishing':
      return { state: 'finishing', ...notWaiting };
    default:
      return assertNever(progress);
  }
}

function shownFailure(failure: unknown): Partial<SignInView> {
  const { code, message, next } = encodeError(failure);
  const state = code === 'sign_in_cancelled' ? 'cancelled' : 'failed';
  return { ...notWaiting, state, failure: { code, message, next } };
}

/** The account of the new access (contract §4.3, `svc_whoami`), or null. Fails with `account_changed` for a different account. */
async function identify(
  { profile: { id, addresses }, abort: { signal } }: Attempt,
  accessToken: string,
  { profiles, credentials, requestTimeoutMs: timeoutMs, logger }: AttemptOptions,
): Promise<string | null> {
  const access = {
    token: async () => accessToken,
    renew: () => Promise.reject(new AppError('sign_in_needed')),
  };
  const remote = createRemoteClient({ mcpUrl: addresses.mcpUrl, access, timeoutMs, logger });
  let account: string | null;
  try {
    account = await accountOf(remote, signal);
  } finally {
    await remote.dispose();
  }
  const known = profiles.get(id).account;
  // Without a member token, signing in may change the account.
  const isBound = known !== '' && credentials.held(id, 'member-token') !== 'none';
  if (account === null || !isBound || account === known) return account;
  throw new AppError('account_changed', {
    message: sentence`You signed in to account ${account}, but the member token is of account ${known}. The new sign-in was ended. Sign in to account ${known}, or forget the member token first.`,
  });
}

async function accountOf(remote: RemoteClient, signal: AbortSignal): Promise<string | null> {
  try {
    const { data } = await callReadOnly(remote, { name: whoamiTool, args: {}, signal });
    return uidIn(data);
  } catch (failure) {
    if (!(failure instanceof AppError) || failure.code !== 'tool_refused') throw failure;
    const tools = await remote.listTools();
    if (tools.some(({ name }) => name === whoamiTool)) throw failure;
    return null;
  }
}

const whoamiTool = 'svc_whoami';

function uidIn(data: JsonValue | undefined): string | null {
  if (!isJsonObject(data)) return null;
  const { uid, identity } = data;
  const found = [uid, isJsonObject(identity) ? identity['uid'] : null].find(isUid);
  return found === undefined ? null : String(found);
}

function isUid(value: JsonValue | undefined): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}
