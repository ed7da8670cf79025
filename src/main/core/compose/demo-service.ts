import { join } from 'node:path';
import type { ServiceAddresses } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { createBackend, type Backend, type BackendOptions, type Faults } from '../backend/index.ts';
import { createDemoAccess, type DemoCredentials } from '../connections/index.ts';
import type { Clock } from '../platform/clock.ts';
import { isPortTaken, openOnStablePort, storedPort } from '../platform/loopback/listener.ts';
import type { DisposableStack } from '../platform/disposable.ts';
import type { Ids } from '../platform/ids.ts';
import type { Logger } from '../platform/logger.ts';
import type { AppStore } from '../store/app/index.ts';

/** Credentials of the embedded service, which never leave this process. */
export function demoCredentials(backend: Backend, clock: Clock): DemoCredentials {
  return {
    memberToken: () => backend.issueMemberToken('buyer'),
    publisherKey: () => {
      const [key] = backend.issueDemoCredentials().accounts.publisher.publisherKeys;
      if (key === undefined) throw new AppError('credential_missing');
      return key.key;
    },
    access: createDemoAccess(
      () =>
        backend.issueRemoteGrant({
          account: 'buyer',
          scopes: ['svc:read', 'svc:write', 'svc:upload', 'offline_access'],
          // Lets a change prepared before a restart be committed afterwards.
          isPersistent: true,
        }),
      clock,
    ),
  };
}

export function demoSources(backend: Backend): { tids: number[]; sids: number[] } {
  const [key] = backend.issueDemoCredentials().accounts.publisher.publisherKeys;
  return { tids: [...(key?.tids ?? [])], sids: [...(key?.feeds ?? [])] };
}

export interface DemoServiceOptions {
  logger: Logger;
  clock: Clock;
  ids: Ids;
  dataFolder: string;
  faults?: Faults | undefined;
  demoCampaigns?: number | undefined;
}

export function demoDatabasePath(dataFolder: string): string {
  return join(dataFolder, 'backend.sqlite');
}

/** Keeps the embedded service from bypassing the gate: only the app gets access. */
const noConsent: BackendOptions['consent'] = {
  kind: 'answered',
  clients: [],
  answer: () => ({ kind: 'denied' }),
};

/**
 * Only the app calls the embedded service, and fifty approved changes
 * cause a hundred operations at once. The gateway limits agents.
 */
const quotas = { callsPerMinute: 6_000, operationsPerMinute: 3_000 };

/** Opens the embedded service on a database and closes it again. Fails as a start with this database would. */
export async function tryDemoService(
  file: string,
  { logger, clock, ids }: { logger: Logger; clock: Clock; ids: Ids },
): Promise<void> {
  const backend = createBackend({ logger, clock, ids, tenant: 'northwind', file, consent: noConsent });
  try {
    await backend.listen();
    backend.issueDemoCredentials();
  } finally {
    await backend.dispose();
  }
}

const demoPortSetting = 'demo.port';

export async function openDemoService(
  options: DemoServiceOptions,
  { settings }: AppStore,
  stack: DisposableStack,
): Promise<{ backend: Backend; addresses: ServiceAddresses }> {
  const { dataFolder, logger, clock, ids, faults, demoCampaigns } = options;
  const open = async (port: number): Promise<{ backend: Backend; addresses: ServiceAddresses }> => {
    const backend = createBackend({
      tenant: 'northwind',
      file: demoDatabasePath(dataFolder),
      clock,
      ids,
      logger,
      port,
      consent: noConsent,
      quotas,
      // The Reports page shows the publisher's traffic, and the buyer's tools schedule reports on it.
      sharesTraffic: true,
      ...(faults === undefined ? {} : { faults }),
      ...(demoCampaigns === undefined ? {} : { campaigns: demoCampaigns }),
    });
    try {
      const { port: boundPort, ...addresses } = await backend.listen();
      settings.set(demoPortSetting, String(boundPort));
      return { backend: stack.use(backend), addresses };
    } catch (failure) {
      await backend.dispose();
      throw failure;
    }
  };
  const savedPort = storedPort(settings.get(demoPortSetting));
  if (savedPort === null) return openOnStablePort(open);
  try {
    return await open(savedPort);
  } catch (failure) {
    if (!isPortTaken(failure)) throw failure;
    logger.warn({ port: savedPort }, 'The port of the Demo service is taken; another one is chosen');
    return openOnStablePort(open);
  }
}
