import { checkAddresses, createAdministratorPolicy, type PolicyPlace, silentLogger } from '#core/public.ts';
import type { ServiceAddresses } from '#shared/app-api/index.ts';

interface WrittenAddresses {
  url: string;
  baseUrl?: string;
  apiUrl?: string;
}

export function readAddresses({
  url,
  baseUrl,
  apiUrl,
}: WrittenAddresses): { kind: 'fine'; addresses: ServiceAddresses } | { kind: 'refused'; faults: string[] } {
  const origin = url.trim().replace(/\/$/, '');
  const checked = checkAddresses({
    mcpUrl: url,
    baseUrl: baseUrl ?? `${origin}/api/v1`,
    apiUrl: apiUrl ?? origin,
  });
  if (checked.kind === 'fine') return checked;
  const names: Readonly<Record<string, string | undefined>> = {
    mcpUrl: '<url>',
    baseUrl: baseUrl === undefined ? undefined : '--base-url',
    apiUrl: apiUrl === undefined ? undefined : '--api-url',
  };
  // If <url> is invalid, addresses derived from it are invalid too, so only <url> is reported.
  const faults = checked.fields.flatMap(({ field, message }) => {
    const name = names[field];
    return name === undefined ? [] : [`${name}: ${message}`];
  });
  return { kind: 'refused', faults };
}

/** Passes if this computer's administrator allows the service. Fails with `service_not_allowed` or `policy_unusable`. */
export function assertServiceAllowed(addresses: ServiceAddresses, place?: PolicyPlace): void {
  createAdministratorPolicy({ place, logger: silentLogger, emit() {} }).assertAllowed(addresses);
}

/** Credentials come from environment variables, because every user of a machine can read command lines. */
export const credentialVariables = {
  memberToken: 'COUNTERSIGN_MEMBER_TOKEN',
  publisherKey: 'COUNTERSIGN_PUBLISHER_KEY',
} as const;

type GivenCredential = { kind: 'given'; value: string } | { kind: 'missing' } | { kind: 'refused' };

/** Reads a credential and removes it from the environment, so that no child process inherits it. */
export function takeCredential(variable: string, env: Record<string, string | undefined>): GivenCredential {
  const value = (env[variable] ?? '').trim().replace(/^Bearer +/i, '');
  delete env[variable];
  if (value === '') return { kind: 'missing' };
  return /^[\x21-\x7e]{1,8000}$/.test(value) ? { kind: 'given', value } : { kind: 'refused' };
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads `HTTPS_PROXY` and `NO_PROXY` (lower case first) as PAC rules. Drops credentials in the address. */
export function environmentProxies(environment: Environment): (origin: string) => Promise<string> {
  const read = (name: string): string => environment[name.toLowerCase()] ?? environment[name] ?? '';
  const proxy = proxyRule(read('HTTPS_PROXY').trim());
  const exceptions = read('NO_PROXY')
    .split(',')
    .map((host) =>
      host
        .trim()
        .toLowerCase()
        .replace(/^\*?\./, ''),
    )
    .filter((host) => host !== '');
  return async (origin) => {
    const { hostname } = new URL(origin);
    const isExcepted = exceptions.some(
      (host) => host === '*' || hostname === host || hostname.endsWith(`.${host}`),
    );
    return isExcepted ? 'DIRECT' : proxy;
  };
}

const kinds: Readonly<Record<string, string>> = { 'http:': 'PROXY', 'https:': 'HTTPS' };

function proxyRule(address: string): string {
  if (address === '') return 'DIRECT';
  const url = URL.parse(address.includes('://') ? address : `http://${address}`);
  if (url === null || url.hostname === '') return 'UNREADABLE';
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  return `${kinds[url.protocol] ?? 'SOCKS'} ${url.hostname}:${port}`;
}
