import type { ScopeDefinition } from '#core/oauth-server/index.ts';
import type { Scope } from '../remote-call/principal.ts';

/** The scopes of the service (contract §5.3). */
export const oauthScopes: readonly ScopeDefinition[] = [
  { name: 'svc:read', isDefault: true, ofResource: true },
  { name: 'svc:write', isDefault: false, ofResource: true },
  { name: 'svc:upload', isDefault: false, ofResource: true },
  { name: 'offline_access', isDefault: false, ofResource: false },
];

/** A scope for people (contract §5.3). */
interface ScopeWords {
  title: string;
  /** The permissions of the scope, and their limits. */
  allows: string;
  /** Granted whenever it was asked for; the others may be left out. */
  isAlways: boolean;
}

/** The scopes in plain words, in the order in which they are shown. */
export const scopeWords: Readonly<Record<Scope, ScopeWords>> = {
  'svc:read': {
    title: 'Look at the account',
    allows:
      'Campaigns with bids and budgets, settings, traffic statistics, Search reports and tasks. Changes nothing.',
    isAlways: true,
  },
  'svc:write': {
    title: 'Propose and commit changes',
    allows:
      'Bids, budgets, targeting, schedules, texts and status: this spends money. Each change is prepared first and committed in a second step.',
    isAlways: false,
  },
  'svc:upload': {
    title: 'Upload pictures',
    allows: 'Icons and images for campaigns. Works only together with changes.',
    isAlways: false,
  },
  offline_access: {
    title: 'Keep scheduled tasks',
    allows:
      'While the client is away: reports at set times, and changes of status or bid that are prepared and wait for approval.',
    isAlways: false,
  },
};

/** The scopes among these that a person can be asked about, in the order in which they are shown. */
export function shownScopes(asked: readonly string[]): Scope[] {
  return (Object.keys(scopeWords) as Scope[]).filter((scope) => asked.includes(scope));
}
