import type { Logger } from '#core/platform/logger.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { startBackend } from '../open-backend.ts';
import type { RunningBackend } from '../open-backend.ts';
import type { FuzzCredentials } from './places.ts';

/** A service without quotas, with the bugs that it logged. */
export interface FuzzService extends RunningBackend {
  /** Messages logged as errors. */
  errors: string[];
  /** Issues new credentials, because mutated requests end grants and sessions. */
  fresh(): Promise<FuzzCredentials>;
}

const scopes = ['svc:read', 'svc:write', 'svc:upload', 'offline_access'] as const;

/** Starts the service with demo data. */
export async function startFuzzService(): Promise<FuzzService> {
  const errors: string[] = [];
  const logger: Logger = {
    info: () => {},
    warn: () => {},
    error(facts, message) {
      const [failure] = Object.values(facts).filter((fact) => fact instanceof Error);
      errors.push(`${message}: ${failure?.stack ?? ''}`);
    },
    child: () => logger,
  };
  const service = await startBackend({
    campaigns: 60,
    days: 40,
    logger,
    quotas: {
      callsPerMinute: null,
      operationsPerMinute: null,
      tokenRequestsPerMinute: null,
      registrationsPerMinute: null,
    },
  });
  const { backend, credentials, port } = service;
  const [key] = credentials.publisherKeys;
  if (key === undefined) throw new Error('The buyer has no publisher key');
  return {
    ...service,
    errors,
    async fresh() {
      const { data } = await service.list('?perPage=20');
      const campaigns: JsonObject[] = await Promise.all(data.map(({ cid }) => service.campaign(cid)));
      const paused = await service.list('?perPage=1&status=3');
      campaigns.push(await service.campaign(paused.data[0]?.cid ?? 0));
      const grant = () => backend.issueRemoteGrant({ account: 'buyer', scopes });
      const { accessToken } = await grant();
      return {
        port,
        memberToken: credentials.memberToken,
        publisherKey: key.key,
        accessToken,
        spare: await grant(),
        rotating: await grant(),
        password: credentials.password,
        login: credentials.login,
        campaigns,
        tid: key.tids[0] ?? 0,
        sid: key.feeds[0] ?? 0,
      };
    },
  };
}
