import type { MemberTokens } from '../auth/member-token.ts';
import type { BackendService } from '../service.ts';
import { accountPurposes, demoAccounts } from './accounts.ts';
import type { DemoAccounts } from './accounts.ts';
import { makeDemoKeys, removeDemoKeys } from './publisher-keys.ts';
import type { DemoPublisherKey, DemoPublisherKeys } from './publisher-keys.ts';

/** What one demo account signs in with. */
export interface DemoCredential {
  uid: number;
  /** Name of the account. */
  name: string;
  /** What the account is there for, in a few plain words. */
  purpose: string;
  /** What the sign-in page asks for. */
  login: string;
  memberToken: string;
  publisherKeys: readonly DemoPublisherKey[];
}

/** The buyer's credential, and those of the other accounts for tests and training. */
export interface DemoCredentials extends DemoCredential {
  /** Opens every account on the sign-in page, as long as this process lives. */
  password: string;
  accounts: Record<keyof DemoAccounts, DemoCredential>;
}

/** The credentials of one process. */
export interface DemoCredentialDesk {
  password: string;
  /** Member tokens are fresh at every call; publisher keys are made at the first. */
  issue(): DemoCredentials;
  uidOf(account: keyof DemoAccounts): number;
}

/** `Marlow Media` signs in as `marlow-media`. */
export function loginOf(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-');
}

/** Makes the desk that hands out the demo accounts' credentials. The publisher keys of earlier processes end. */
export function createDemoCredentials(service: BackendService, tokens: MemberTokens): DemoCredentialDesk {
  const tenant = service.tenant.id;
  const demo = demoAccounts(tenant);
  const password = service.ids.secret().slice(0, 16);
  removeDemoKeys(service);
  let keys: DemoPublisherKeys | null = null;
  return {
    password,
    issue() {
      const made = (keys ??= makeDemoKeys(service));
      const entries = Object.entries(demo).map(([part, { uid, name, role }]) => {
        const memberToken = tokens.issue({ uid, tenant, role });
        const account = part as keyof DemoAccounts;
        const purpose = accountPurposes[account];
        const publisherKeys = made[account] ?? [];
        return [part, { uid, name, purpose, login: loginOf(name), memberToken, publisherKeys }] as const;
      });
      const accounts = Object.fromEntries(entries) as unknown as DemoCredentials['accounts'];
      return { ...accounts.buyer, password, accounts };
    },
    uidOf: (account) => demo[account].uid,
  };
}
