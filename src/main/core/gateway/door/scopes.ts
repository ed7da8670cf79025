import type { ScopeDefinition } from '#core/oauth-server/index.ts';

/** What an agent may ask for: the service's own scopes (contract §5.3). Who names none may only look. */
export const agentScopes: readonly ScopeDefinition[] = [
  { name: 'svc:read', isDefault: true, ofResource: true },
  { name: 'svc:write', isDefault: false, ofResource: true },
  { name: 'svc:upload', isDefault: false, ofResource: true },
  { name: 'offline_access', isDefault: false, ofResource: false },
];
