import type { AppEvent, AppHandlers, ProfileView } from '#shared/app-api/index.ts';
import type { ConfirmationPort } from '#shared/host-api/index.ts';
import { handlersOf } from './app-handlers.ts';
import { demoSources, tryDemoService } from './demo-service.ts';
import { composeAgents } from './agents.ts';
import { composeCampaigns } from './campaigns.ts';
import { dataRequests, endRestored } from '../data-folder/index.ts';
import { whyNoRoom } from '#core/platform/disk-places.ts';
import { checkedHandlers } from '../platform/checked-handlers.ts';
import { openAll, type DisposableStack, type AsyncDisposable } from '../platform/disposable.ts';
import { createProfileController } from '../connections/index.ts';
import { createDoctorController } from '../doctor/index.ts';
import { createProfileNames, viewOf } from '../profiles/index.ts';
import { createSchedules } from '../schedules/index.ts';
import {
  createDaySumsReader,
  createReportNotes,
  createReportReader,
  createReportService,
} from '../reports/index.ts';
import { openFoundation } from './foundation.ts';
import { preloadLibraries } from './load-later.ts';
import type { ComposeOptions } from './options.ts';
import { composeConnections } from './connections.ts';
import type { ShownFormats } from '#shared/lib/formats.ts';

export interface Core extends AsyncDisposable {
  handlers: AppHandlers;
  subscribe(listener: (event: AppEvent) => void): () => void;
  /** Only for the host of the confirmation. */
  confirmation: ConfirmationPort;
  suspend(): void;
  /** Reports that the machine woke up: expires due work at once and makes pages read again. Never fails. */
  resume(): void;
  info: {
    version: string;
    host: ComposeOptions['host'];
    profile(): ProfileView;
    shownFormats(): ShownFormats;
    serviceUrl: string;
    setAsideFiles: string[];
  };
}

/**
 * Creates every service and recovers after a crash. Fails with `data_folder_locked`, `data_folder_unusable` or a database or
 * disk error. Closes everything before it fails.
 */
export function composeCore(options: ComposeOptions): Promise<Core> {
  return openAll((stack) => compose(options, stack));
}

async function compose(options: ComposeOptions, stack: DisposableStack): Promise<Core> {
  const { version, host } = options;
  const foundation = await openFoundation(options, stack);
  const service = await composeConnections(options, foundation);
  const { folder, store, ledger, clock, serviceClock, ids, logger, emit, subscribe, requestTimeoutMs } =
    foundation;
  const { backend, connections, profiles, reportWorker: worker, formats } = service;
  const doctor = stack.use(
    createDoctorController({
      connections,
      timeoutMs: requestTimeoutMs,
      clock,
      logger,
      onChange: () => emit({ kind: 'doctor.changed' }),
      formats,
    }),
  );
  const agentSide = composeAgents(options, foundation, service);
  const { agents, freeze, guardrails, refusedAttempts, pins, gate } = agentSide;
  const reader = createReportReader({
    worker,
    connections,
    clock: serviceClock,
    demoStorageError: () => whyNoRoom(folder),
  });
  const reports = stack.use(
    createReportService({
      worker,
      reader,
      connections,
      demoSources: () => demoSources(backend),
      clock,
      ids,
      onChange: () => emit({ kind: 'reports.changed' }),
    }),
  );
  const reportNotes = stack.use(
    createReportNotes({
      store,
      figures: createDaySumsReader({ reader, worker }),
      profiles,
      clock,
      serviceClock,
      ids,
      logger,
      emit,
    }),
  );
  const schedules = stack.use(
    createSchedules({
      store,
      ledger,
      returns: agentSide.returns,
      profiles,
      connections,
      pins,
      gate,
      clock,
      serviceClock,
      logger,
      emit,
      subscribe,
      formats,
    }),
  );
  const campaignSide = composeCampaigns(options, foundation, service, agentSide);
  const { campaignNotes, pictures } = campaignSide;
  // After three seconds, when the first rows are drawn and the report worker has started.
  stack.defer(preloadLibraries(clock, 3_000));
  // Campaign pages start the check earlier.
  stack.defer(clock.after(3_000, ledger.verifyInBackground));
  endRestored({
    store,
    withdraw: gate.withdraw,
    freezeAgents: () => freeze.freeze('restored'),
    endAgents: () => agents.endAll('restored'),
    logger,
  });
  const profileController = createProfileController({
    store,
    profiles,
    credentials: service.credentials,
    connections,
    signIn: service.signIn,
    grantsOf: service.grantsOf,
    endExamination: doctor.leave,
    endAgents(profileId) {
      agents.endOfProfile(profileId);
      pins.forget(profileId);
    },
    addGuardrails: guardrails.protect,
    forgetLimits(profileId) {
      guardrails.forget(profileId);
      refusedAttempts.forget(profileId);
    },
    switchOffAlerts: reportNotes.switchOffAlerts,
    forgetNotes(profileId) {
      reportNotes.forget(profileId);
      campaignNotes.forget(profileId);
    },
    clearCampaignCache: service.forgetReads,
    clearReportCache: service.forgetReports,
    forgetCampaignNotes: campaignNotes.forgetCampaigns,
    forgetDrafts: campaignSide.forgetWork,
    timeoutMs: requestTimeoutMs,
    clock,
    logger,
    onChange() {
      service.profilesChanged();
      emit({ kind: 'campaigns.changed', cids: [] });
      emit({ kind: 'status.changed' });
    },
  });
  const handlers = handlersOf({
    options,
    foundation,
    connectionSide: service,
    agentSide,
    campaignSide,
    reports,
    reportNotes,
    schedules,
    doctor,
    profileController,
    profileNames: createProfileNames({ profiles, store }),
    dataRequests: dataRequests({
      store,
      ledger,
      version,
      host,
      clock,
      ids,
      formats,
      copyService: backend.copyTo,
      tryService: (file) => tryDemoService(file, { logger, clock, ids }),
      beginAgain: options.restartCore ?? (() => undefined),
      signOutEverywhere: profileController.signOutEverywhere,
      endFirstScreen: service.firstScreen.end,
    }),
  });
  return {
    handlers: checkedHandlers(handlers),
    subscribe,
    confirmation: {
      ...gate.confirmation,
      async picture({ url, ...seen }) {
        return pictures.load(gate.confirmation.look(seen).proposal, url);
      },
    },
    suspend: gate.suspend,
    resume() {
      connections.invalidate();
      gate.resume();
      schedules.pauseReturns.resume();
      emit({ kind: 'campaigns.changed', cids: [] });
      foundation.ledgerChanged();
    },
    info: {
      version,
      host,
      profile: () => viewOf(profiles.current()),
      shownFormats: service.shownFormats,
      serviceUrl: service.addresses.baseUrl,
      setAsideFiles: [store.setAside, backend.setAside].filter((file) => file !== null),
    },
    dispose() {
      // The gate finishes its work before the connections close. The gate takes no new work while the gateway ends.
      connections.endWaits();
      gate.close();
      return stack.dispose();
    },
  };
}
