import { join } from 'node:path';
import type { AppEvent, AppHandlers, ProfileView, ServiceAddresses } from '#shared/app-api/index.ts';
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
import {
  createConnections,
  createDemoAccess,
  createGrantStores,
  createProfileDesk,
  createSignInDesk,
  type Connections,
  type DemoCredentials,
  type ProfileDesk,
  type SignInDesk,
} from './connections/index.ts';
import { createDoctorDesk, type DoctorDesk } from './doctor/index.ts';
import {
  createCredentials,
  createProfiles,
  createSealer,
  createSecrets,
  demoProfile,
  viewOf,
  type Profiles,
} from './profiles/index.ts';
import { createGate, type Gate } from './proposals/index.ts';
import { createCampaignReads, createKeeper, type CampaignReads } from './reads/index.ts';
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
  /** Hands an authorization address to the system's browser; without it no browser opens. */
  openLink?(address: string): Promise<boolean>;
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
    /** The profile in front. */
    profile(): ProfileView;
    /** `{base_url}` of the embedded service. */
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

  const { backend, addresses } = await openDemoService({ ...options, logger, clock, ids }, store, stack);
  options.onDemoService?.(backend, addresses.baseUrl);
  const sealer = createSealer(options.dataKey);
  const credentials = createCredentials({ store, sealer });
  const keeper = stack.use(createKeeper({ store, clock, logger }));
  const { forget: forgetReads } = keeper;
  const profiles = createProfiles({
    store,
    forgetReads,
    demo: demoProfile({ account: backend.issueDemoCredentials().uid, addresses }),
    liveAllowed: host === 'desktop',
    clock,
    ids,
  });
  const grantsOf = createGrantStores({ store, credentials, clock });
  const profilesChanged = (): void => emit({ kind: 'profiles.changed' });
  const connections = stack.use(
    createConnections({
      profiles,
      credentials,
      demo: demoCredentials(backend, clock),
      grantsOf,
      timeoutMs: requestTimeoutMs,
      clock,
      logger,
      onState: () => emit({ kind: 'status.changed' }),
      onReturn(profileId) {
        if (profileId === profiles.current().id) emit({ kind: 'campaigns.changed', cids: [] });
      },
      onGrant: profilesChanged,
    }),
  );
  const { openLink = async () => false } = options;
  const shared = { profiles, grantsOf, clock, logger };
  const signIn = stack.use(
    createSignInDesk({
      ...shared,
      openLink,
      connections,
      onChange() {
        emit({ kind: 'signIn.changed' });
        profilesChanged();
      },
    }),
  );
  const profileDesk = createProfileDesk({
    ...shared,
    store,
    credentials,
    connections,
    signIn,
    forgetReads,
    timeoutMs: requestTimeoutMs,
    onChange() {
      profilesChanged();
      emit({ kind: 'campaigns.changed', cids: [] });
      emit({ kind: 'status.changed' });
    },
  });
  const doctor = stack.use(
    createDoctorDesk({
      connections,
      timeoutMs: requestTimeoutMs,
      clock,
      logger,
      onChange: () => emit({ kind: 'doctor.changed' }),
    }),
  );

  const gate = stack.use(
    createGate({
      store,
      ledger,
      connections,
      profiles,
      confirmer,
      clock,
      ids,
      logger,
      requestTimeoutMs,
      emit,
    }),
  );
  const campaigns = createCampaignReads({ connections, keeper, store, clock });
  const info = {
    version,
    host,
    profile: () => viewOf(profiles.current()),
    serviceUrl: addresses.baseUrl,
    setAside: asideOf(store, backend),
  };
  const services = {
    gate,
    campaigns,
    ledger,
    store,
    connections,
    profiles,
    profileDesk,
    signIn,
    doctor,
    info,
  };
  return {
    handlers: checkedHandlers(handlersOf(services)),
    subscribe: events.subscribe,
    confirmation: gate.confirmation,
    suspend: gate.suspend,
    resume() {
      connections.doubt();
      gate.resume();
      emit({ kind: 'campaigns.changed', cids: [] });
      emit({ kind: 'ledger.changed' });
      emit({ kind: 'status.changed' });
    },
    info,
    dispose() {
      // The gate ends before its connections do, and waits for what it has under way.
      connections.endWaits();
      return stack.dispose();
    },
  };
}

interface Services {
  gate: Gate;
  campaigns: CampaignReads;
  ledger: Ledger;
  store: AppStore;
  connections: Connections;
  profiles: Profiles;
  profileDesk: ProfileDesk;
  signIn: SignInDesk;
  doctor: DoctorDesk;
  info: Core['info'];
}

function handlersOf(services: Services): AppHandlers {
  const { gate, campaigns, ledger, store, connections, profileDesk, signIn, doctor, info } = services;
  const { version, host } = info;
  return {
    'session.get': async () => ({ version, host, profile: info.profile() }),
    'session.status': async () => {
      const { service, writing } = await connections.look();
      const { rows, sealedAtMs, state } = ledger.report();
      const { proposals } = store;
      return {
        service,
        writing,
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
    'profiles.list': async () => profileDesk.list(),
    'profiles.add': profileDesk.add,
    'profiles.edit': profileDesk.edit,
    'profiles.remove': profileDesk.remove,
    'profiles.switch': async (input) => profileDesk.switchTo(input),
    'profiles.keepCredential': profileDesk.keepCredential,
    'profiles.forgetCredential': profileDesk.forgetCredential,
    'profiles.signOut': profileDesk.signOut,
    'signIn.start': async (input) => signIn.start(input),
    'signIn.get': async () => signIn.get(),
    'signIn.open': async () => signIn.open(),
    'signIn.cancel': async () => signIn.cancel(),
    'doctor.start': async ({ profileId }) => doctor.start(profileId),
    'doctor.get': async () => doctor.get(),
    'doctor.stop': async () => doctor.stop(),
  };
}

/** What opens the embedded service: handed out in this process, and to nobody else. */
function demoCredentials(backend: Backend, clock: Clock): DemoCredentials {
  return {
    memberToken: () => backend.issueDemoCredentials().memberToken,
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
        }),
      clock,
    ),
  };
}

/** Opens the embedded service on the port that was chosen at the first start; a taken one is replaced by another. */
async function openDemoService(
  options: ComposeOptions & Pick<BackendOptions, 'logger' | 'clock' | 'ids'>,
  { settings }: AppStore,
  stack: DisposableStack,
): Promise<{ backend: Backend; addresses: ServiceAddresses }> {
  const { dataFolder, logger, clock, ids, faults, demoCampaigns } = options;
  const open = async (port: number): Promise<{ backend: Backend; addresses: ServiceAddresses }> => {
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
      const { port: bound, ...addresses } = await backend.listen();
      settings.set(demoPortSetting, String(bound));
      return { backend: stack.use(backend), addresses };
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

// The command line runs the service alone, verifies files and examines services without a core.
export { createBackend } from './backend/index.ts';
export type { Backend, BackendAddresses, DemoCredential } from './backend/index.ts';
export { examine, visitingPatient } from './doctor/index.ts';
export { verifyLedgerFile } from './ledger/index.ts';
export { checkAddresses } from './profiles/index.ts';
export { lockFolder } from './store/sqlite/index.ts';
