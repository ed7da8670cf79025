import type { ProfileView, ServiceAddresses } from '#shared/app-api/index.ts';

/** One service that the user works with. */
export interface Profile extends ProfileView {
  addresses: ServiceAddresses;
  remoteAccess: 'oauth' | 'direct-jwt';
}

/** What every window shows of it. */
export function viewOf({ id, name, kind, account, zone }: Profile): ProfileView {
  return { id, name, kind, account, zone };
}
