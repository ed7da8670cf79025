import type { ProfileDetail } from '#shared/app-api/index.ts';

/** A live profile without any credential. */
export function liveProfile(change: Partial<ProfileDetail> = {}): ProfileDetail {
  return {
    id: 'live-1',
    name: 'Meridian',
    kind: 'live',
    account: '20311',
    zone: 'UTC',
    addresses: {
      baseUrl: 'https://ads.example/api/v1',
      apiUrl: 'https://api.example',
      mcpUrl: 'https://mcp.example',
    },
    remoteAccess: 'oauth',
    signIn: { state: 'none', scopes: [], signedInAtMs: null },
    memberToken: { state: 'none', expiresAtMs: null },
    publisherKey: { state: 'none' },
    stopped: null,
    ...change,
  };
}

/** The built-in profile. */
export function demoProfile(): ProfileDetail {
  return liveProfile({ id: 'demo', name: 'Northwind Media', kind: 'demo', account: '1042' });
}
