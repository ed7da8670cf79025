import type { Backend, BackendAddresses, DemoCredential } from '#core/compose.ts';
import { examplesOf } from './examples.ts';
import type { ServedAccount, ServedService } from './served-service.ts';

/** What the command knows besides the service itself. */
interface Surroundings extends BackendAddresses {
  tenant: string;
  allowDirectJwt: boolean;
}

/** Gathers what there is to tell of a service that listens. The demo accounts' credentials are made here. */
export async function describeService(
  backend: Backend,
  { tenant, allowDirectJwt, ...addresses }: Surroundings,
): Promise<ServedService> {
  const { password, accounts } = backend.issueDemoCredentials();
  const scopes = ['svc:read', 'svc:write', 'svc:upload', 'offline_access'] as const;
  const grant = await backend.issueRemoteGrant({ account: 'buyer', scopes });
  const told = {
    tenant,
    addresses: addressesOf(addresses),
    password,
    accounts: Object.entries(accounts).map(([part, account]) => accountOf(part, account)),
    mcp_access: {
      login: accounts.buyer.login,
      client_id: grant.clientId,
      access_token: grant.accessToken,
      refresh_token: grant.refreshToken,
      expires_in: grant.expiresInSeconds,
      scope: grant.scopes.join(' '),
    },
    allow_direct_jwt: allowDirectJwt,
  };
  return { ...told, examples: examplesOf(told, Date.now()) };
}

function addressesOf({
  baseUrl,
  apiUrl,
  mcpUrl,
}: Omit<BackendAddresses, 'port'>): ServedService['addresses'] {
  return {
    base_url: baseUrl,
    api_url: apiUrl,
    mcp_url: mcpUrl,
    mcp: `${mcpUrl}/mcp`,
    protected_resource_metadata: `${mcpUrl}/.well-known/oauth-protected-resource/mcp`,
    authorization_server_metadata: `${mcpUrl}/.well-known/oauth-authorization-server`,
    token: `${mcpUrl}/token`,
    health: `${mcpUrl}/health`,
    ready: `${mcpUrl}/ready`,
  };
}

function accountOf(part: string, account: DemoCredential): ServedAccount {
  const { login, uid, name, purpose, memberToken, publisherKeys } = account;
  return {
    part,
    login,
    uid,
    name,
    purpose,
    member_token: memberToken,
    publisher_keys: publisherKeys.map(({ key, scopes, tids, feeds }) => ({ key, scopes, tids, feeds })),
  };
}
