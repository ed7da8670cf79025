import type { AppEvent, AppHandlers, ProfileView } from '#shared/app-api/index.ts';
import type { ConfirmationPort } from '#shared/host-api/index.ts';
import { handlersOf } from './app-handlers.ts';
import { demoSources, tryDemoService } from './demo-service.ts';
import { composeAgents } from './agents.ts';
import { composeCampaigns } from './campaigns.ts';
import { dataRequests, endRestored } from '../data-folder/index.ts';
import { whyNoRoom } from '#core/platform/disk-places.ts';
import { checkedHandlers } from '../platform/checked-handlers.ts';
import { DisposableStack, type AsyncDisposable } from '../platform/disposable.ts';
import { createProfileController, type ProfileController } from '../connections/index.ts';
import { createDoctorController, type DoctorController } from '../doctor/index.ts';
import { createProfileNames, viewOf } from '../profiles/index.ts';
import { createSchedules } from '../schedules/index.ts';
import { createReportNotes, createReportReader, createReportService } from '../reports/index.ts';
import { type Foundation, openFoundation } from './foundation.ts';
import { loadLater } from './load-later.ts';
import type { ComposeOptions } from './options.ts';
import { composeConnections, type ConnectionSide } from './connections.ts';
import type { ShownFormats } from '#shared/lib/shown-formats.ts';

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
    /** How numbers and moments are written at this time. */
    shownFormats(): ShownFormats;
    /** `{base_url}` of the embedded service. */
    serviceUrl: string;
    /** Damaged databases that were moved aside at this start. */
    setAside: string[];
  };
}

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
  const foundation = await openFoundation(options, stack);
  const service = await composeConnections(options, foundation);
  const { store, ledger, clock, logger, emit } = foundation;
  const { backend, connections, profiles, signIn } = service;
  const built = { version: options.version, host: options.host };
  const doctor = stack.use(
    createDoctorController({
      ...foundation,
      formats: service.formats,
      connections,
      timeoutMs: foundation.requestTimeoutMs,
      onChange: () => emit({ kind: 'doctor.changed' }),
    }),
  );
  const agentSide = composeAgents({ ...foundation, ...service, confirmer: options.confirmer, ...built });
  const { agents, pins, gate } = agentSide;
  const reportSide = composeReports(foundation, service);
  const schedules = stack.use(createSchedules({ ...foundation, ...service, pins, gate }));
  const campaignSide = composeCampaigns({
    ...foundation,
    ...service,
    pins,
    gate,
    balances: (profileId) => (profileId === 'demo' ? backend.balanceMicros : () => null),
    pictureNetwork: options.pictureNetwork ?? {},
    onRetention: foundation.ledgerChanged,
    stack,
  });
  // When the first rows are drawn and the report worker is up.
  stack.defer(loadLater(clock, 3_000));
  endRestored({
    store,
    withdraw: gate.withdraw,
    freezeAgents: () => agentSide.freeze.freeze('restored'),
    endAgents: () => agents.endAll('restored'),
    logger,
  });
  const profileController = composeProfileController({
    foundation,
    service,
    doctor,
    agentSide,
    reportSide,
    campaignSide,
  });
  const info = {
    ...built,
    profile: () => viewOf(profiles.current()),
    shownFormats: service.shownFormats,
    serviceUrl: service.addresses.baseUrl,
    setAside: [store.setAside, backend.setAside].filter((file) => file !== null),
  };
  const services = {
    ...agentSide,
    ...campaignSide,
    ...reportSide,
    policy: foundation.policy,
    originsOf: profiles.originsOf,
    schedules,
    ledger,
    store,
    connections,
    profileController,
    signIn,
    doctor,
    formatSetting: service.formatSetting,
    offersFirstStart: options.offersFirstStart === true,
    serviceAheadMs: () => foundation.serviceClock.aheadMs,
    info,
    profileNames: createProfileNames({ profiles, store }),
    dataRequests: dataRequests({
      ...foundation,
      formats: service.formats,
      ...info,
      copyService: backend.copyTo,
      tryService: (file) => tryDemoService(file, { logger, clock, ids: foundation.ids }),
      beginAgain: options.beginAgain ?? (() => undefined),
      signOutEverywhere: profileController.signOutEverywhere,
    }),
  };
  return {
    handlers: checkedHandlers(handlersOf(services)),
    subscribe: foundation.subscribe,
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

function composeReports(
  { clock, serviceClock, ids, stack, ...foundation }: Foundation,
  service: ConnectionSide,
) {
  const { reportWorker: worker, connections, profiles, backend } = service;
  const reader = createReportReader({
    worker,
    connections,
    clock: serviceClock,
    whyNoRoom: () => whyNoRoom(foundation.folder),
  });
  const reports = stack.use(
    createReportService({
      worker,
      reader,
      connections,
      demoSources: () => demoSources(backend),
      clock,
      ids,
      onChange: () => foundation.emit({ kind: 'reports.changed' }),
    }),
  );
  const notes = stack.use(
    createReportNotes({ ...foundation, worker, reader, profiles, clock, serviceClock, ids }),
  );
  return { reports, notes };
}

/** The controller of the profiles, which has every part forget what belonged to a profile that is removed or changed. */
function composeProfileController(parts: {
  foundation: Foundation;
  service: ConnectionSide;
  doctor: DoctorController;
  agentSide: ReturnType<typeof composeAgents>;
  reportSide: ReturnType<typeof composeReports>;
  campaignSide: ReturnType<typeof composeCampaigns>;
}): ProfileController {
  const { foundation, service, doctor, reportSide, campaignSide } = parts;
  const { agents, guardrails, refusedAttempts, pins } = parts.agentSide;
  return createProfileController({
    ...foundation,
    ...service,
    endExamination: doctor.leave,
    endAgents(profileId) {
      agents.endOfProfile(profileId);
      pins.forget(profileId);
    },
    protect: guardrails.protect,
    forgetLimits(profileId) {
      guardrails.forget(profileId);
      refusedAttempts.forget(profileId);
    },
    switchOffAlerts: reportSide.notes.switchOffAlerts,
    forgetNotes(profileId) {
      reportSide.notes.forget(profileId);
      campaignSide.campaignNotes.forget(profileId);
    },
    forgetCampaignNotes: campaignSide.campaignNotes.forgetCampaigns,
    forgetDrafts: campaignSide.forgetWork,
    timeoutMs: foundation.requestTimeoutMs,
    onChange() {
      service.profilesChanged();
      foundation.emit({ kind: 'campaigns.changed', cids: [] });
      foundation.emit({ kind: 'status.changed' });
    },
  });
}
