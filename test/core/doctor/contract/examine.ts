import { type ContractCheckOptions, runChecks, contractChecks } from '#core/doctor/contract/run-checks.ts';
import { systemClock } from '#core/platform/clock.ts';
import type { RemoteAccess } from '#core/service-client/index.ts';
import type { ContractFinding } from '#shared/app-api/index.ts';
import { startBackend } from '#test/core/backend/open-backend.ts';
import type { RunningBackend } from '#test/core/backend/open-backend.ts';
import type { BackendOptions } from '#core/backend/index.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

/** Access with a single token that is never renewed. */
export function accessWith(token: string): RemoteAccess {
  return { token: () => Promise.resolve(token), renew: () => Promise.resolve(token) };
}

/** The buyer's service, with every input that the check takes. */
export interface Subject {
  service: RunningBackend;
  options: ContractCheckOptions;
}

const noQuotas = { callsPerMinute: null, operationsPerMinute: null };

/** Starts a service whose buyer has more than one page of campaigns, with its credentials. The caller disposes it. */
export async function openSubject(options: Partial<BackendOptions> = {}): Promise<Subject> {
  const service = await startBackend({ campaigns: 230, days: 12, quotas: noQuotas, ...options });
  const origin = `http://127.0.0.1:${service.port}`;
  const { accessToken } = await service.backend.issueRemoteGrant({
    account: 'buyer',
    scopes: ['svc:read'],
  });
  const { credentials } = service;
  const [key] = credentials.publisherKeys;
  const [foreign] = (await service.list('?perPage=1', credentials.accounts.neighbour.memberToken)).data;
  return {
    service,
    options: {
      addresses: { baseUrl: service.baseUrl, apiUrl: origin, mcpUrl: origin },
      memberToken: credentials.memberToken,
      publisherKey: key?.key ?? null,
      access: accessWith(accessToken),
      known: { tid: key?.tids[0] ?? 0, foreignCid: foreign?.cid ?? 0 },
      signal: new AbortController().signal,
      timeoutMs: 15_000,
      clock: systemClock,
    },
  };
}

/** Returns the findings other than `holds`, as `id: state: text`. */
export function exceptions(findings: readonly ContractFinding[]): string[] {
  return findings
    .filter(({ state }) => state !== 'holds')
    .map(({ id, state, text }) => `${id}: ${state}: ${text}`);
}

/** Runs only the checks whose ids begin with one of these prefixes. */
export function examineOnly(
  { options }: Subject,
  beginnings: readonly string[],
  changes: Partial<ContractCheckOptions> = {},
): Promise<ContractFinding[]> {
  const checks = contractChecks.filter(({ id }) => beginnings.some((beginning) => id.startsWith(beginning)));
  return runChecks(checks, { ...options, ...changes }, defaultFormats);
}

/** Runs the check with changed inputs. */
export function examine(
  { options }: Subject,
  changes: Partial<ContractCheckOptions> = {},
): Promise<ContractFinding[]> {
  return runChecks(contractChecks, { ...options, ...changes }, defaultFormats);
}
