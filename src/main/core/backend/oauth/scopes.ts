import type { ScopeDefinition } from '#core/oauth-server/index.ts';

/** The scopes of the service (contract §5.3). */
export const oauthScopes: readonly ScopeDefinition[] = [
  { name: 'svc:read', isDefault: true, ofResource: true },
  { name: 'svc:write', isDefault: false, ofResource: true },
  { name: 'svc:upload', isDefault: false, ofResource: true },
  { name: 'offline_access', isDefault: false, ofResource: false },
];
