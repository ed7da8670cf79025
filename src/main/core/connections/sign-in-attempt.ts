import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { Credentials, Profile, Profiles } from '#core/profiles/index.ts';
import {
  callHarmless,
  createRemoteClient,
  signIn,
  type Grant,
  type GrantStore,
  type RemoteClient,
  type SignInProgress,
} from '#core/service-client/index.ts';
import type { SignInView } from '#shared/app-api/index.ts';
import { AppError, encodeError } from '#shared/errors/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import { isJsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { sentence } from '#shared/lib/sentence.ts';

export interface Attempt {
  readonly profile: Profile;
  readonly abort: AbortController;
  /** Replaced at each step, never changed. */
  view: SignInView;
}

export interface AttemptOptions {
  profiles: Pick<Profiles, 'get' | 'setAccount'>;
  credentials: Pick<Credentials, 'held'>;
  grants: GrantStore;
  /** Hands the address to the system's browser; resolves to whether that worked. */
  open(address: string): Promise<boolean>;
  timeoutMs: number;
  /** One request to the service, in milliseconds. */
  requestTimeoutMs: number;
  clock: Clock;
  logger: Logger;
  onChange(): void;
}

/** Scope of the read tools, which every sign-in asks for (contract §5.3). */
const leastScope = 'svc:read';

/** View of a sign-in that does not wait for a browser. */
export const notWaiting = { address: null, endsAtMs: null } as const;

/** Makes a sign-in that asks for these scopes and for those that are granted already. */
export function newAttempt(profile: Profile, grants: GrantStore, wanted: readonly string[]): Attempt {
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

/** True until the end of the sign-in is known. */
export function isRunning({ view: { state } }: Attempt): boolean {
  return state === 'preparing' || state === 'waiting' || state === 'finishing';
}

/**
 * Runs the attempt and reports each step. The profile's account is that of the new grant, if the service names one. Resolves to the
 * stored grant, or to null if it ended without one.
 */
export async function runAttempt(attempt: Attempt, options: AttemptOptions): Promise<Grant | null> {
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

/**
 * Asks the remote tools whose the new access is (contract §4.3, `svc_whoami`), before anything else uses it. Resolves to null where
 * the service names no owner, and fails where it cannot be asked. Fails with `account_changed` for another account than that of the
 * member token: a person would be shown the campaigns of one account, and change the other.
 */
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
  // Without a member token, the account is the one that the person signs in to.
  const isBound = known !== '' && credentials.held(id, 'member-token') !== 'none';
  if (account === null || !isBound || account === known) return account;
  throw new AppError('account_changed', {
    message: sentence`You signed in to account ${account}, but the member token is of account ${known}. The new sign-in was ended. Sign in to account ${known}, or forget the member token first.`,
  });
}

async function accountOf(remote: RemoteClient, signal: AbortSignal): Promise<string | null> {
  try {
    const { data } = await callHarmless(remote, { name: whoamiTool, args: {}, signal });
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
