import type { Backend, BackendAddresses, DemoCredential } from '#core/public.ts';

export interface ServedAccount {
  part: string;
  login: string;
  uid: number;
  name: string;
  purpose: string;
  member_token: string;
  publisher_keys: {
    key: string;
    scopes: readonly string[];
    tids: readonly number[];
    feeds: readonly number[];
  }[];
}

export interface ServedGrant {
  login: string;
  client_id: string;
  access_token: string;
  refresh_token: string;
  expires_in: number;
  scope: string;
}

export interface Example {
  name: string;
  title: string;
  command: string;
}

/** The output of `countersign serve --print-credentials json`. Members may be added, but never renamed or removed. */
export interface ServedService {
  tenant: string;
  addresses: {
    base_url: string;
    api_url: string;
    mcp_url: string;
    mcp: string;
    protected_resource_metadata: string;
    authorization_server_metadata: string;
    token: string;
    health: string;
    ready: string;
  };
  password: string;
  accounts: ServedAccount[];
  mcp_access: ServedGrant;
  /** True if `/mcp` also accepts member tokens (contract §5.3). */
  allow_direct_jwt: boolean;
  examples: Example[];
}

interface ListeningService extends BackendAddresses {
  tenant: string;
  allowDirectJwt: boolean;
}

export async function describeService(
  backend: Backend,
  { tenant, allowDirectJwt, ...addresses }: ListeningService,
): Promise<ServedService> {
  const { password, accounts } = backend.issueDemoCredentials();
  const scopes = ['svc:read', 'svc:write', 'svc:upload', 'offline_access'] as const;
  const grant = await backend.issueRemoteGrant({ account: 'buyer', scopes });
  const facts = {
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
  return { ...facts, examples: examplesOf(facts, Date.now()) };
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

type ServiceFacts = Omit<ServedService, 'examples'>;

const reportDays = 7;
const dayMs = 86_400_000;

/** The protocol version that the examples request; the endpoint negotiates it (contract §9). */
const protocolVersion = '2025-11-25';

function examplesOf(facts: ServiceFacts, nowMs: number): Example[] {
  const { accounts, mcp_access: access, addresses } = facts;
  const days = `date_from=${dayOf(nowMs - (reportDays - 1) * dayMs)}&date_to=${dayOf(nowMs)}`;
  const buyers = accounts.filter(({ part }) => part === 'buyer');
  return [
    ...buyers.map((account) => listCampaigns(addresses, account)),
    ...accounts.flatMap((account) => reportsOf(addresses, account, days)),
    initialize(addresses, { name: 'mcp_initialize', token: access.access_token, login: access.login }),
    refresh(facts),
    ...(facts.allow_direct_jwt ? buyers : []).map(({ login, member_token: token }) =>
      initialize(addresses, { name: 'mcp_initialize_direct_jwt', token, login }),
    ),
  ];
}

function listCampaigns(
  addresses: ServiceFacts['addresses'],
  { login, member_token }: ServedAccount,
): Example {
  const url = `${addresses.base_url}/login/campaigns/campaigns?perPage=5&sort=cid&order=asc`;
  return {
    name: 'list_campaigns',
    title: `five campaigns of ${login}`,
    command: curl(url, header(`Authorization: Bearer ${member_token}`)),
  };
}

function reportsOf(addresses: ServiceFacts['addresses'], account: ServedAccount, days: string): Example[] {
  return account.publisher_keys.flatMap(({ key, tids: [tid], feeds: [sid] }) => [
    ...(tid === undefined
      ? []
      : [
          {
            name: 'xml_stats',
            title: `XML statistics of source ${tid}`,
            command: curl(`${addresses.api_url}/xml/stats?token=${key}&tid=${tid}&${days}`),
          },
        ]),
    ...(sid === undefined
      ? []
      : [
          {
            name: 'search_report',
            title: `Search report of feed ${sid}`,
            command: curl(`${addresses.api_url}/publisher/search-report?token=${key}&sid=${sid}&${days}`),
          },
        ]),
  ]);
}

function initialize(
  addresses: ServiceFacts['addresses'],
  { name, token, login }: { name: string; token: string; login: string },
): Example {
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion, capabilities: {}, clientInfo: { name: 'curl', version: '1' } },
  };
  return {
    name,
    title: `a session of the remote tools, as ${login}`,
    command: curl(
      addresses.mcp,
      header(`Authorization: Bearer ${token}`),
      header('Content-Type: application/json'),
      header('Accept: application/json, text/event-stream'),
      `-d '${JSON.stringify(body)}'`,
    ),
  };
}

function refresh({ addresses, mcp_access: { client_id, refresh_token } }: ServiceFacts): Example {
  const form = { grant_type: 'refresh_token', client_id, refresh_token, resource: addresses.mcp };
  return {
    name: 'refresh_access_token',
    title: 'a fresh access token; the refresh token works once and rotates',
    command: curl(addresses.token, `-d '${String(new URLSearchParams(form))}'`),
  };
}

// Single quotes suffice, because no address, token or body here contains one.
const curl = (url: string, ...rest: string[]): string => ['curl', '-sS', `'${url}'`, ...rest].join(' ');
const header = (text: string): string => `-H '${text}'`;

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
