import type { Example, ServedAccount, ServedService } from './served-service.ts';

type Told = Omit<ServedService, 'examples'>;

/** How many days the example reports reach back, today included. */
const reportDays = 7;
const dayMs = 86_400_000;

/** What the examples ask for; the endpoint negotiates (contract §9). */
const protocolVersion = '2025-11-25';

/** At least one call for each printed credential that has one to show. Days are the service's, in UTC. */
export function examplesOf(told: Told, nowMs: number): Example[] {
  const { accounts, mcp_access: access, addresses } = told;
  const days = `date_from=${dayOf(nowMs - (reportDays - 1) * dayMs)}&date_to=${dayOf(nowMs)}`;
  const buyers = accounts.filter(({ part }) => part === 'buyer');
  return [
    ...buyers.map((account) => listCampaigns(addresses, account)),
    ...accounts.flatMap((account) => reportsOf(addresses, account, days)),
    initialize(addresses, { name: 'mcp_initialize', token: access.access_token, login: access.login }),
    refresh(told),
    ...(told.allow_direct_jwt ? buyers : []).map(({ login, member_token: token }) =>
      initialize(addresses, { name: 'mcp_initialize_direct_jwt', token, login }),
    ),
  ];
}

function listCampaigns(addresses: Told['addresses'], { login, member_token }: ServedAccount): Example {
  const url = `${addresses.base_url}/login/campaigns/campaigns?perPage=5&sort=cid&order=asc`;
  return {
    name: 'list_campaigns',
    title: `five campaigns of ${login}`,
    command: curl(url, header(`Authorization: Bearer ${member_token}`)),
  };
}

/** What each key of the account may read. */
function reportsOf(addresses: Told['addresses'], account: ServedAccount, days: string): Example[] {
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
  addresses: Told['addresses'],
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

function refresh({ addresses, mcp_access: { client_id, refresh_token } }: Told): Example {
  const form = { grant_type: 'refresh_token', client_id, refresh_token, resource: addresses.mcp };
  return {
    name: 'refresh_access_token',
    title: 'a fresh access token; the refresh token works once and rotates',
    command: curl(addresses.token, `-d '${String(new URLSearchParams(form))}'`),
  };
}

// No address, token or body here holds a single quote, so single quotes carry all of them.
const curl = (url: string, ...rest: string[]): string => ['curl', '-sS', `'${url}'`, ...rest].join(' ');
const header = (text: string): string => `-H '${text}'`;

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
