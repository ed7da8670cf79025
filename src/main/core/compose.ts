import type { AppEvent, AppHandlers, ProfileView } from '#shared/app-api/index.ts';
import type { Confirmer, ConfirmationPort } from '#shared/host-api/index.ts';
import { handlersOf } from './app-handlers.ts';
import type { Backend, Faults } from './backend/index.ts';
import {
  demoCredentials,
  demoDatabase,
  demoSources,
  openDemoService,
  openServiceCopy,
  tryDemoService,
} from './demo-service.ts';
import { composeAgents } from './compose-agents.ts';
import { composeCampaigns } from './compose-campaigns.ts';
import { dataRequests, endRestored, recordRestore, settleFolder } from './data-folder/index.ts';
import { createFormatSetting } from './format-setting.ts';
import { createLedger } from './ledger/index.ts';
import { checkedHandlers } from './platform/checked-handlers.ts';
import { systemClock, type Clock } from './platform/clock.ts';
import { DisposableStack, type AsyncDisposable } from './platform/disposable.ts';
import { createEventBus } from './platform/event-bus.ts';
import { createIds, type Ids } from './platform/ids.ts';
import { silentLogger, type Logger } from './platform/logger.ts';
import { createMovableClock, type MovableClock } from './platform/movable-clock.ts';
import {
  createConnections,
  createGrantStores,
  createProfileController,
  createSignInController,
} from './connections/index.ts';
import { createDoctorController } from './doctor/index.ts';
import {
  createCredentials,
  createProfileNames,
  createProfiles,
  createSealer,
  createSecrets,
  demoProfile,
  viewOf,
} from './profiles/index.ts';
import { createAdministratorPolicy, type PolicyPlace } from './policy/index.ts';
import type { PictureNetwork } from './pictures/index.ts';
import { createKeeper } from './reads/index.ts';
import { createSchedules } from './schedules/index.ts';
import { setSystemNetwork, type SystemNetwork } from './service-client/index.ts';
import {
  createReportNotes,
  createReportReader,
  createReportService,
  createStoredReports,
} from './reports/index.ts';
import { openAppStore, refuseForeignAppSchema } from './store/app/index.ts';
import { refuseForeignBackendSchema } from './store/backend/index.ts';
import { lockFolder } from './store/sqlite/index.ts';

/** The parts that a host brings. */
export interface ComposeOptions {
  /** Absolute path; made where needed, and locked until dispose. */
  dataFolder: string;
  host: 'desktop' | 'browser' | 'terminal';
  /** The only source of the user's decisions. */
  confirmer: Confirmer;
  version: string;
  /** 32 bytes that seal the secrets at rest. */
  dataKey: Buffer;
  /** Hands an authorization address to the system's browser; without it no browser opens. */
  openLink?(address: string): Promise<boolean>;
  /** The system's settings of the network, for every request of this process; see `setSystemNetwork` for the usual ones. */
  network?: Partial<SystemNetwork>;
  /** The place of the administrator's policy; by default the usual one. Null for a core that no policy concerns. */
  policyPlace?: PolicyPlace | null;
  logger?: Logger;
  clock?: Clock;
  /**
   * The clock of the embedded service, for training: its schedules, sign-ins and days follow it, and so does all that the core
   * says of the service's day. Everything that the core itself times goes by `clock`.
   */
  serviceClock?: MovableClock;
  ids?: Ids;
  /** Faults that the embedded service simulates. */
  faults?: Faults;
  /** Time limit of one request to a service. */
  timeouts?: { requestMs: number };
  /** The way of pictures to the network, for tests. */
  pictureNetwork?: Partial<PictureNetwork>;
  /** Offers the first start screen to the app's page until it was seen; without it none is offered. */
  offersFirstStart?: boolean;
  /** Number of demo campaigns made on the first start. */
  demoCampaigns?: number;
  /** Makes Demo the only profile that there can be, under this name, on every host. */
  onlyProfile?: string;
  /**
   * Has the host reset what it keeps outside the data folder, before a deletion empties that. Resolves to the data key from then on, null
   * for the one of before. Never fails; it may be called again after a start that was killed.
   */
  resetHost?(): Promise<Buffer | null>;
  /** Has the core end and begin again on what the data folder is then; without it that waits for the next start. */
  beginAgain?: () => void;
  /** Hands out the embedded service and its `{base_url}`, for tests and training that look at it from the other side. */
  onDemoService?(service: Backend, baseUrl: string): void;
}

/** A running core. */
export interface Core extends AsyncDisposable {
  /** Requests of the pages; input and output are checked by their schemas. */
  handlers: AppHandlers;
  subscribe(listener: (event: AppEvent) => void): () => void;
  /** For the confirmer's host only. */
  confirmation: ConfirmationPort;
  /** The machine goes to sleep: no showing stays armed. */
  suspend(): void;
  /** The machine woke up: what is past its time ends at once, and pages read again. Never fails. */
  resume(): void;
  info: {
    version: string;
    host: ComposeOptions['host'];
    /** The active profile. */
    profile(): ProfileView;
    /** `{base_url}` of the embedded service. */
    serviceUrl: string;
    /** Damaged databases that were moved aside at this start. */
    setAside: string[];
  };
}

const usualRequestMs = 15_000;

/**
 * Makes every service in the order in which they need each other, recovers what a crash left, and hands out the core.
 * Fails with `data_folder_locked`, with what is wrong with its databases or its disk (`schema_newer`, `path_occupied`,
 * `disk_full` …), or with `data_folder_unusable`; then nothing is left open.
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
  const { logger = silentLogger, clock = systemClock, openLink = async () => false } = options;
  const serviceClock = options.serviceClock ?? createMovableClock(clock);
  const ids = options.ids ?? createIds(() => clock.nowMs());
  const requestTimeoutMs = options.timeouts?.requestMs ?? usualRequestMs;
  const { emit, subscribe } = createEventBus<AppEvent>(logger);

  stack.use(lockFolder({ folder, host, clock }));
  if (options.network !== undefined) stack.use(setSystemNetwork(options.network));
  const settled = await settleFolder({ folder, resetHost: options.resetHost, clock, logger });
  // Both before either is opened: a database of a newer Countersign leaves the other one as it was, too.
  refuseForeignAppSchema(folder);
  refuseForeignBackendSchema(demoDatabase(folder));
  const store = stack.use(openAppStore({ folder, clock, logger }));
  const sealer = createSealer(settled.newKey ?? options.dataKey);
  const keys = createSecrets({ store, sealer });
  const onChange = (): void => {
    emit({ kind: 'ledger.changed' });
    emit({ kind: 'status.changed' });
  };
  const ledger = stack.use(createLedger({ store, keys, clock, logger, onChange }));
  recordRestore(store, { ledger, clock, failure: settled.failure });
  const policy = createAdministratorPolicy({ place: options.policyPlace, logger, emit });
  const { backend, addresses } = await openDemoService(
    { ...options, logger, clock: serviceClock, ids },
    store,
    stack,
  );
  options.onDemoService?.(backend, addresses.baseUrl);
  const credentials = createCredentials({ store, sealer });
  const keeper = stack.use(createKeeper({ store, clock, logger }));
  const reportWorker = stack.use(createStoredReports({ folder, profiles: store.profiles, clock, logger }));
  const { forget: forgetReports } = reportWorker;
  const forgetReads = (profileId: string): void => {
    keeper.forget(profileId);
    forgetReports(profileId);
  };
  const profiles = createProfiles({
    store,
    forgetReads,
    demo: demoProfile({
      name: options.onlyProfile,
      account: backend.issueDemoCredentials().uid,
      addresses,
    }),
    liveAllowed: host === 'desktop' && options.onlyProfile === undefined,
    policy,
    clock,
    ids,
  });
  const isOwn = options.onlyProfile === undefined;
  const formats = createFormatSetting({ store, profiles, isOwn, emit, subscribe });
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
      serviceClock,
      logger,
      onState: () => emit({ kind: 'status.changed' }),
      onReturn(profileId) {
        if (profileId === profiles.current().id) emit({ kind: 'campaigns.changed', cids: [] });
      },
      onGrant: profilesChanged,
    }),
  );
  const shared = { profiles, grantsOf, clock, logger };
  const signIn = stack.use(
    createSignInController({
      ...shared,
      openLink,
      connections,
      onChange() {
        emit({ kind: 'signIn.changed' });
        profilesChanged();
      },
    }),
  );
  const doctor = stack.use(
    createDoctorController({
      connections,
      disagreementsOf: store.drafts.disagreements.of,
      timeoutMs: requestTimeoutMs,
      clock,
      logger,
      onChange: () => emit({ kind: 'doctor.changed' }),
    }),
  );
  const agentSide = composeAgents({
    ...shared,
    policy,
    store,
    ledger,
    connections,
    serviceTimeAt: serviceClock.timeAt,
    confirmer,
    version,
    host,
    ids,
    requestTimeoutMs,
    emit,
    subscribe,
    stack,
  });
  const { agents, guardrails, refusedAttempts, pins, gate } = agentSide;

  const reportReader = createReportReader({ worker: reportWorker, connections, clock: serviceClock });
  const reports = stack.use(
    createReportService({
      worker: reportWorker,
      reader: reportReader,
      connections,
      demoSources: () => demoSources(backend),
      clock,
      ids,
      onChange: () => emit({ kind: 'reports.changed' }),
    }),
  );
  const schedules = stack.use(
    createSchedules({ ...shared, serviceClock, store, connections, pins, gate, emit, subscribe }),
  );

  const notes = stack.use(
    createReportNotes({
      store,
      worker: reportWorker,
      reader: reportReader,
      profiles,
      clock,
      serviceClock,
      ids,
      logger,
      emit,
    }),
  );
  const campaignSide = composeCampaigns({
    ...shared,
    store,
    ledger,
    keeper,
    connections,
    pins,
    gate,
    openCopy: (profileId) => openServiceCopy(backend, profileId, logger),
    ids,
    pictureNetwork: options.pictureNetwork ?? {},
    emit,
    subscribe,
    onRetention: onChange,
    stack,
  });
  endRestored({ store, withdraw: gate.withdraw, endAgents: () => agents.endAll('restored'), logger });
  const profileController = createProfileController({
    ...shared,
    store,
    credentials,
    connections,
    signIn,
    endExamination: doctor.leave,
    forgetReads,
    forgetReports,
    endAgents(profileId) {
      agents.endOfProfile(profileId);
      pins.forget(profileId);
    },
    protect: guardrails.protect,
    forgetLimits(profileId) {
      guardrails.forget(profileId);
      refusedAttempts.forget(profileId);
    },
    switchOffAlerts: notes.switchOffAlerts,
    forgetNotes(profileId) {
      notes.forget(profileId);
      campaignSide.campaignNotes.forget(profileId);
    },
    forgetCampaignNotes: campaignSide.campaignNotes.forgetCampaigns,
    forgetDrafts: campaignSide.forgetWork,
    timeoutMs: requestTimeoutMs,
    onChange() {
      profilesChanged();
      emit({ kind: 'campaigns.changed', cids: [] });
      emit({ kind: 'status.changed' });
    },
  });

  const info = {
    version,
    host,
    profile: () => viewOf(profiles.current()),
    serviceUrl: addresses.baseUrl,
    setAside: [store.setAside, backend.setAside].filter((file) => file !== null),
  };
  const services = {
    ...agentSide,
    ...campaignSide,
    policy,
    originsOf: profiles.originsOf,
    reports,
    schedules,
    ledger,
    store,
    connections,
    profileController,
    signIn,
    doctor,
    notes,
    formats,
    offersFirstStart: options.offersFirstStart === true,
    serviceAheadMs: () => serviceClock.aheadMs,
    info,
    profileNames: createProfileNames({ profiles, store }),
    dataRequests: dataRequests({
      store,
      copyService: backend.copyTo,
      tryService: (file) => tryDemoService(file, { logger, clock, ids }),
      ledger,
      ...info,
      clock,
      ids,
      beginAgain: options.beginAgain ?? (() => undefined),
      signOutEverywhere: profileController.signOutEverywhere,
    }),
  };
  return {
    handlers: checkedHandlers(handlersOf(services)),
    subscribe,
    confirmation: {
      ...gate.confirmation,
      async picture({ url, ...seen }) {
        return campaignSide.pictures.load(gate.confirmation.look(seen).proposal, url);
      },
    },
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
      // The gate ends before its connections do, and waits for what it has under way. It takes nothing more
      // while the gateway takes leave of its agents.
      connections.endWaits();
      gate.close();
      return stack.dispose();
    },
  };
}
