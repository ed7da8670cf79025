import type { ProfileView } from '#shared/app-api/index.ts';

/** The embedded service with its advertiser account: always there, without any sign-in. Its service day is UTC. */
export function demoProfile(account: number): ProfileView {
  return {
    id: 'demo',
    name: 'Northwind Media',
    kind: 'demo',
    account: String(account),
    zone: 'UTC',
  };
}
