import type { Grant, GrantStore, RegisteredClient } from './grant.ts';

/** A grant for this run only: for the doctor in a terminal. What is kept here is gone with the process. */
export function createMemoryGrants(): GrantStore {
  let grant: Grant | 'none' | 'ended' = 'none';
  let leased = false;
  let client: RegisteredClient | null = null;

  const grants: GrantStore = {
    underWay: null,
    load() {
      if (leased && grants.underWay === null) return { kind: 'ended' };
      return typeof grant === 'string' ? { kind: grant } : { kind: 'held', grant };
    },
    save(given) {
      grant = given;
      leased = false;
    },
    lease() {
      if (leased) throw new Error('A refresh has the lease already');
      leased = true;
    },
    release() {
      leased = false;
    },
    end() {
      grant = 'ended';
      leased = false;
    },
    forget() {
      grant = 'none';
      client = null;
      leased = false;
    },
    client: () => client,
    saveClient(given) {
      client = given;
    },
    forgetClient() {
      client = null;
    },
  };
  return grants;
}
