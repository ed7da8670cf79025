import type { Member } from '#core/store/backend/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import { isSameSecret } from '#core/platform/credentials.ts';
import { demoAccounts, loginOf } from '../demo-data/credentials.ts';
import type { BackendService } from '../service.ts';
import type { ScopeDefinition } from '#core/oauth-server/index.ts';
import type { Scope } from '../remote-call/tool.ts';

export interface SignInAccounts {
  /** Returns the uid or null. Unknown logins and wrong passwords take equally long, so timing reveals no logins. */
  check(login: string, password: string): number | null;
  member(uid: number): Member | null;
}

export function createSignInAccounts(service: BackendService, password: string): SignInAccounts {
  const logins = new Map(
    Object.values(demoAccounts(service.tenant.id)).map(({ name, uid }) => [loginOf(name), uid]),
  );
  return {
    check(login, given) {
      const isPasswordCorrect = isSameSecret(given, password);
      return isPasswordCorrect ? (logins.get(login) ?? null) : null;
    },
    member: (uid) => service.store.read.member(uid),
  };
}

/** Slows down sign-ins after failures. Unknown logins are slowed down too, so the delay does not reveal which logins exist. */
export interface SignInThrottle {
  pauseMs(login: string): number;
  recordFailure(login: string): void;
  recordSuccess(login: string): void;
}

interface FailureCount {
  failures: number;
  lastMs: number;
}

interface ThrottlePolicy {
  freeFailures: number;
  maxMs: number;
}

const loginPolicy: ThrottlePolicy = { freeFailures: 5, maxMs: 5 * 60_000 };

/** All logins together, because an attacker could change the login each time. Shorter, since the pause delays every user. */
const overallPolicy: ThrottlePolicy = { freeFailures: 20, maxMs: 30_000 };

const initialPauseMs = 1_000;
const forgetAfterMs = 15 * 60_000;
const maxLogins = 1_000;

export function createSignInThrottle(clock: Clock): SignInThrottle {
  const logins = new Map<string, FailureCount>();
  const totalFailures: FailureCount = { failures: 0, lastMs: 0 };
  const addFailure = (tally: FailureCount): FailureCount => {
    const failures = isExpired(tally, clock.nowMs()) ? 1 : tally.failures + 1;
    return Object.assign(tally, { failures, lastMs: clock.nowMs() });
  };
  return {
    pauseMs(login) {
      const own = logins.get(login);
      const nowMs = clock.nowMs();
      return Math.max(
        pauseOf(totalFailures, overallPolicy, nowMs),
        own === undefined ? 0 : pauseOf(own, loginPolicy, nowMs),
      );
    },
    recordFailure(login) {
      const own = addFailure(logins.get(login) ?? { failures: 0, lastMs: 0 });
      logins.delete(login);
      logins.set(login, own);
      const [oldest] = logins.keys();
      if (logins.size > maxLogins && oldest !== undefined) logins.delete(oldest);
      addFailure(totalFailures);
    },
    recordSuccess: (login) => void logins.delete(login),
  };
}

function pauseOf(tally: FailureCount, { freeFailures, maxMs }: ThrottlePolicy, nowMs: number): number {
  if (tally.failures < freeFailures || isExpired(tally, nowMs)) return 0;
  const pauseMs = Math.min(maxMs, initialPauseMs * 2 ** (tally.failures - freeFailures));
  // The pause must not become longer when the clock is set back.
  return Math.min(pauseMs, Math.max(0, tally.lastMs + pauseMs - nowMs));
}

function isExpired({ lastMs }: FailureCount, nowMs: number): boolean {
  return nowMs - lastMs >= forgetAfterMs;
}

export const oauthScopes: readonly ScopeDefinition[] = [
  { name: 'svc:read', isDefault: true, ofResource: true },
  { name: 'svc:write', isDefault: false, ofResource: true },
  { name: 'svc:upload', isDefault: false, ofResource: true },
  { name: 'offline_access', isDefault: false, ofResource: false },
];

interface ScopeText {
  title: string;
  allows: string;
  /** True for a scope that users cannot deselect. */
  isRequired: boolean;
}

export const scopeTexts: Readonly<Record<Scope, ScopeText>> = {
  'svc:read': {
    title: 'Look at the account',
    allows:
      'Campaigns with bids and budgets, settings, traffic statistics, Search reports and tasks. Changes nothing.',
    isRequired: true,
  },
  'svc:write': {
    title: 'Propose and commit changes',
    allows:
      'Bids, budgets, targeting, schedules, texts and status: this spends money. Each change is prepared first and committed in a second step.',
    isRequired: false,
  },
  'svc:upload': {
    title: 'Upload pictures',
    allows: 'Icons and images for campaigns. Works only together with changes.',
    isRequired: false,
  },
  offline_access: {
    title: 'Keep scheduled tasks',
    allows:
      'While the client is away: reports at set times, and changes of status or bid that are prepared and wait for approval.',
    isRequired: false,
  },
};

export function shownScopes(asked: readonly string[]): Scope[] {
  return (Object.keys(scopeTexts) as Scope[]).filter((scope) => asked.includes(scope));
}
