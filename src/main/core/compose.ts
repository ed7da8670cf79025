import { join } from 'node:path';
import type { AppEvent, AppHandlers, ProfileView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { isStatusCode } from '#shared/contract/index.ts';
import type { Confirmer, ConfirmationPort } from '#shared/host-api/index.ts';
import { createBackend, type Backend, type BackendOptions, type Faults } from './backend/index.ts';
import { createLedger, type Ledger } from './ledger/index.ts';
import { checkedHandlers } from './platform/checked-handlers.ts';
import { systemClock, type Clock } from './platform/clock.ts';
import { DisposableStack, type AsyncDisposable } from './platform/disposable.ts';
import { createEventBus } from './platform/event-bus.ts';
import { createIds, type Ids } from './platform/ids.ts';
import { silentLogger, type Logger } from './platform/logger.ts';
import { createSealer, createSecrets, demoProfile } from './profiles/index.ts';
import { createGate, type Gate } from './proposals/index.ts';
import {
  createCampaignReads,
  createServiceState,
  type CampaignReads,
  type ServiceState,
} from './reads/index.ts';
import { createMemberClient, type MemberClient } from './service-client/index.ts';
import { openAppStore, type AppStore } from './store/app/index.ts';
import { lockFolder } from './store/sqlite/index.ts';

/** What a host brings. */
export interface ComposeOptions {
  /** Absolute path; made where needed, and locked until dispose. */
  dataFolder: string;
  host: 'desktop' | 'browser' | 'terminal';
  /** The only way to a person's decision. */
  confirmer: Confirmer;
  version: string;
  /** 32 bytes that seal the secrets at rest. */
  dataKey: Buffer;
  logger?: Logger;
  clock?: Clock;
  ids?: Ids;
  /** What the embedded service shall do wrong. */
  faults?: Faults;
  /** How long one request to a service may take. */
  timeouts?: { requestMs: number };
  /** How many demo campaigns are made on the first start. */
  demoCampaigns?: number;
  /** Hands out the embedded service and its `{base_url}`, for tests and training that look at it from the other side. */
  onDemoService?(service: Backend, baseUrl: string): void;
}

/** A running core. */
export interface Core extends AsyncDisposable {
  /** What the pages may ask; input and output are checked by their schemas. */
  handlers: AppHandlers;
  subscribe(listener: (event: AppEvent) => void): () => void;
  /** For the confirmer's host only. */
  confirmation: ConfirmationPort;
  /** The machine goes to sleep: no showing stays armed. */
  suspend(): void;
  /** The machine woke up: what is past its time ends at once, and pages are told to read again. Never fails. */
  resume(): void;
  info: {
    version: string;
    host: ComposeOptions['host'];
    profile: ProfileView;
    /** `{base_url}` of the profile. */
    serviceUrl: string;
    /** Damaged databases that were moved aside at this start. */
    setAside: string[];
  };
}

/** The embedded service is no door around the gate: nobody but the app gets in. */
const noConsent: BackendOptions['consent'] = {
  kind: 'answered',
  clients: [],
  answer: () => ({ kind: 'denied' }),
};

const usualRequestMs = 15_000;
const demoPortSetting = 'demo.port';

/**
 * Makes every service in the order in which they need each other, recovers what a crash left, and hands out the core.
 * Fails with `data_folder_locked`, `schema_newer`, `storage_failed` or `data_folder_unusable`; then nothing is left open.
 */
export async function composeCore(options: ComposeOptions): Promise<Core> {
  const stack = new DisposableStack();
  try {
    return await compose(options, stack);
  } catch (failure) {
    await stack.dispose();
    throw failure;
  }
}

async function compose(options: ComposeOptions, stack: DisposableStack): Promise<Core> {
  const { dataFolder: folder, host, confirmer, version } = options;
  const { logger = silentLogger, clock = systemClock } = options;
  const ids = options.ids ?? createIds(() => clock.nowMs());
  const requestTimeoutMs = options.timeouts?.requestMs ?? usualRequestMs;
  const events = createEventBus<AppEvent>(logger);
  const { emit } = events;

  stack.use(lockFolder({ folder, host, clock }));
  const store = stack.use(openAppStore({ folder, clock, logger }));
  const keys = createSecrets({ store, sealer: createSealer(options.dataKey) });
  const onChange = (): void => {
    emit({ kind: 'ledger.changed' });
    emit({ kind: 'status.changed' });
  };
  const ledger = stack.use(createLedger({ store, keys, clock, logger, onChange }));

  const { backend, baseUrl } = await openDemoService({ ...options, logger, clock, ids }, store, stack);
  options.onDemoService?.(backend, baseUrl);
  const profile = demoProfile(backend.issueDemoCredentials().uid);
  const serviceState = createServiceState(clock, () => emit({ kind: 'status.changed' }));
  const client = createMemberClient({
    baseUrl,
    token: async () => backend.issueDemoCredentials().memberToken,
    timeoutMs: requestTimeoutMs,
    logger,
    observe: serviceState.observe,
  });

  const gate = stack.use(
    createGate({ store, ledger, client, profile, confirmer, clock, ids, logger, requestTimeoutMs, emit }),
  );
  const campaigns = createCampaignReads({ client, store, profile, clock });
  const info = { version, host, profile, serviceUrl: baseUrl, setAside: asideOf(store, backend) };
  return {
    handlers: checkedHandlers(handlersOf({ gate, campaigns, ledger, store, serviceState, client, info })),
    subscribe: events.subscribe,
    confirmation: gate.confirmation,
    suspend: gate.suspend,
    resume() {
      serviceState.doubt();
      gate.resume();
      emit({ kind: 'campaigns.changed', cids: [] });
      emit({ kind: 'ledger.changed' });
      emit({ kind: 'status.changed' });
    },
    info,
    dispose: () => stack.dispose(),
  };
}

interface Services {
  gate: Gate;
  campaigns: CampaignReads;
  ledger: Ledger;
  store: AppStore;
  serviceState: ServiceState;
  client: MemberClient;
  info: Core['info'];
}

function handlersOf({ gate, campaigns, ledger, store, serviceState, client, info }: Services): AppHandlers {
  const { version, host, profile } = info;
  return {
    'session.get': async () => ({ version, host, profile }),
    'session.status': async () => {
      const service = await serviceState.look(client);
      const { rows, sealedAtMs, state } = ledger.report();
      const { proposals } = store;
      return {
        service,
        waiting: proposals.countUndecided(),
        unknown: proposals.countUnknownCampaigns(),
        ledger: { rows, sealedAtMs, state },
      };
    },
    'campaigns.page': campaigns.page,
    'campaigns.get': campaigns.get,
    'campaigns.types': campaigns.types,
    'campaigns.proposeUpdate': gate.proposeUpdate,
    'campaigns.proposeStatus': async ({ cids, status }) => {
      if (!isStatusCode(status)) throw new AppError('bad_input');
      return gate.proposeStatus({ cids, status });
    },
    'proposals.list': async (input) => gate.list(input),
    'proposals.get': async ({ id }) => gate.get(id),
    'proposals.review': ({ id }) => gate.review(id),
    'proposals.withdraw': async ({ id }) => gate.withdraw(id),
    'proposals.settle': ({ id }) => gate.settle(id),
    'ledger.list': async (input) => ledger.list(input),
    'ledger.report': async () => ledger.report(),
    'ledger.verify': () => ledger.verify(),
  };
}

/** Opens the embedded service on the port that was chosen at the first start; a taken one is replaced by another. */
async function openDemoService(
  options: ComposeOptions & Pick<BackendOptions, 'logger' | 'clock' | 'ids'>,
  { settings }: AppStore,
  stack: DisposableStack,
): Promise<{ backend: Backend; baseUrl: string }> {
  const { dataFolder, logger, clock, ids, faults, demoCampaigns } = options;
  const open = async (port: number): Promise<{ backend: Backend; baseUrl: string }> => {
    const backend = createBackend({
      tenant: 'northwind',
      file: join(dataFolder, 'backend.sqlite'),
      clock,
      ids,
      logger,
      port,
      consent: noConsent,
      ...(faults === undefined ? {} : { faults }),
      ...(demoCampaigns === undefined ? {} : { campaigns: demoCampaigns }),
    });
    try {
      const { baseUrl, port: bound } = await backend.listen();
      settings.set(demoPortSetting, String(bound));
      return { backend: stack.use(backend), baseUrl };
    } catch (failure) {
      await backend.dispose();
      throw failure;
    }
  };
  const chosen = Number(settings.get(demoPortSetting) ?? 0);
  try {
    return await open(chosen);
  } catch (failure) {
    if (!(failure instanceof AppError) || failure.code !== 'port_taken') throw failure;
    logger.warn({ port: chosen }, 'The port of the Demo service is taken; another one is chosen');
    return open(0);
  }
}

function asideOf(store: AppStore, backend: Backend): string[] {
  return [store.setAside, backend.setAside].filter((file) => file !== null);
}

// The command line runs the service alone and verifies files without a core.
export { createBackend } from './backend/index.ts';
export type { Backend, BackendAddresses, DemoCredential } from './backend/index.ts';
export { verifyLedgerFile } from './ledger/index.ts';
export { lockFolder } from './store/sqlite/index.ts';
