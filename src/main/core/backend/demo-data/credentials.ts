import type { MemberTokens } from '../auth/member-token.ts';
import type { TenantId } from '../tenants/index.ts';
import { accountPurposes, demoAccounts } from './accounts.ts';
import type { DemoAccounts } from './accounts.ts';

/** What one demo account signs in with. */
export interface DemoCredential {
  uid: number;
  /** Name of the account. */
  name: string;
  /** What the account is there for, in a few plain words. */
  purpose: string;
  memberToken: string;
}

/** The buyer's credential, and those of the other accounts for tests and training. */
export interface DemoCredentials extends DemoCredential {
  accounts: Record<keyof DemoAccounts, DemoCredential>;
}

/** Signs a token for every demo account. */
export function issueDemoCredentials(tenant: TenantId, tokens: MemberTokens): DemoCredentials {
  const entries = Object.entries(demoAccounts(tenant)).map(([part, { uid, name, role }]) => {
    const memberToken = tokens.issue({ uid, tenant, role });
    const purpose = accountPurposes[part as keyof DemoAccounts];
    return [part, { uid, name, purpose, memberToken }] as const;
  });
  const accounts = Object.fromEntries(entries) as DemoCredentials['accounts'];
  return { ...accounts.buyer, accounts };
}
