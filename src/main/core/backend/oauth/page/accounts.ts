import type { Member } from '#core/store/backend/index.ts';
import { isSameSecret } from '../../member-tokens.ts';
import { demoAccounts } from '../../demo-data/accounts.ts';
import { loginOf } from '../../demo-data/credentials.ts';
import type { BackendService } from '../../service.ts';

/** The accounts that can sign in on the page. */
export interface SignInAccounts {
  /** The account behind a login and the one password; null for every other pair, in the same time. */
  check(login: string, password: string): number | null;
  member(uid: number): Member | null;
}

/** The demo accounts of a service, opened by one password. */
export function createSignInAccounts(service: BackendService, password: string): SignInAccounts {
  const logins = new Map(
    Object.values(demoAccounts(service.tenant.id)).map(({ name, uid }) => [loginOf(name), uid]),
  );
  return {
    check(login, given) {
      const isRight = isSameSecret(given, password);
      return isRight ? (logins.get(login) ?? null) : null;
    },
    member: (uid) => service.store.read.member(uid),
  };
}
