import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { Profile } from '#core/profiles/index.ts';
import { signIn, type Grant, type GrantStore, type SignInProgress } from '#core/service-client/index.ts';
import type { SignInView } from '#shared/app-api/index.ts';
import { AppError, encodeError } from '#shared/errors/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';

/** One sign-in as the pages see it. */
export interface Attempt {
  readonly profile: Profile;
  readonly abort: AbortController;
  /** Replaced at each step, never changed. */
  view: SignInView;
}

export interface AttemptOptions {
  grants: GrantStore;
  /** Hands the address to the system's browser; resolves to whether that worked. */
  open(address: string): Promise<boolean>;
  timeoutMs: number;
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

/** Runs the attempt and reports each step. Resolves to the stored grant, or to null if it ended without one. */
export async function runAttempt(attempt: Attempt, options: AttemptOptions): Promise<Grant | null> {
  const { grants, open, timeoutMs, clock, logger, onChange } = options;
  const { profile, abort, view } = attempt;
  const show = (change: Partial<SignInView>): void => {
    attempt.view = { ...attempt.view, ...change };
    onChange();
  };
  try {
    return await signIn({
      mcpUrl: profile.addresses.mcpUrl,
      store: grants,
      scopes: view.scopes.filter((scope) => scope !== leastScope),
      open,
      onProgress: (progress) => show(shownOf(progress)),
      signal: abort.signal,
      timeoutMs,
      clock,
      logger,
    });
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
