import type { ServiceAddresses } from '#shared/app-api/index.ts';
import type { Profile } from './profile.ts';

/** The embedded service with its advertiser account: always there, without any sign-in. Its service day is UTC. */
export function demoProfile({
  account,
  addresses,
}: {
  account: number;
  addresses: ServiceAddresses;
}): Profile {
  return {
    id: 'demo',
    name: 'Northwind Media',
    kind: 'demo',
    account: String(account),
    zone: 'UTC',
    addresses,
    remoteAccess: 'oauth',
  };
}
