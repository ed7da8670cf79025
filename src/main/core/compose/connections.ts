import { demoCredentials, openDemoService } from './demo-service.ts';
import { createFormatSetting } from './format-setting.ts';
import { createConnections, createGrantStores, createSignInController } from '../connections/index.ts';
import { createCredentials, createProfiles, demoProfile } from '../profiles/index.ts';
import { createCampaignCache } from '../reads/index.ts';
import { createStoredReports } from '../reports/index.ts';
import type { Foundation } from './foundation.ts';
import type { ComposeOptions } from './options.ts';
import { usualShownFormats } from '#shared/lib/shown-formats.ts';

/** The embedded service, the profiles, and the connections to their services. */
export type ConnectionSide = Awaited<ReturnType<typeof composeConnections>>;

/** Starts the embedded service, and makes the profiles and the connections. */
export async function composeConnections(options: ComposeOptions, foundation: Foundation) {
  const { store, sealer, clock, serviceClock, ids, logger, emit, subscribe, stack } = foundation;
  const { openLink = async () => false } = options;
  const { backend, addresses } = await openDemoService(
    {
      dataFolder: options.dataFolder,
      faults: options.faults,
      demoCampaigns: options.demoCampaigns,
      logger,
      clock: serviceClock,
      ids,
    },
    store,
    stack,
  );
  options.onDemoService?.(backend, addresses.baseUrl);
  const credentials = createCredentials({ store, sealer });
  const campaignCache = stack.use(createCampaignCache({ store, clock, logger }));
  const reportWorker = stack.use(
    createStoredReports({ folder: foundation.folder, profiles: store.profiles, clock, logger }),
  );
  const { forget: forgetReports } = reportWorker;
  const forgetReads = (profileId: string): void => {
    campaignCache.forget(profileId);
    forgetReports(profileId);
  };
  const isOwn = options.onlyProfile === undefined;
  const profiles = createProfiles({
    store,
    forgetReads,
    demo: demoProfile({
      name: options.onlyProfile,
      account: backend.issueDemoCredentials().uid,
      addresses,
    }),
    liveAllowed: options.host === 'desktop' && isOwn,
    policy: foundation.policy,
    clock,
    ids,
  });
  const followed = isOwn ? null : (options.followedFormats ?? (() => usualShownFormats));
  const formatSetting = createFormatSetting({ store, profiles, followed, emit, subscribe });
  const { formats } = formatSetting;
  const grantsOf = createGrantStores({ store, credentials, clock });
  const profilesChanged = (): void => emit({ kind: 'profiles.changed' });
  const connections = stack.use(
    createConnections({
      profiles,
      credentials,
      demo: demoCredentials(backend, clock),
      grantsOf,
      timeoutMs: foundation.requestTimeoutMs,
      clock,
      serviceClock,
      logger,
      onState: () => emit({ kind: 'status.changed' }),
      onReturn(profileId) {
        if (profileId === profiles.current().id) emit({ kind: 'campaigns.changed', cids: [] });
      },
      onGrant: profilesChanged,
      formats,
    }),
  );
  const signIn = stack.use(
    createSignInController({
      profiles,
      credentials,
      grantsOf,
      clock,
      logger,
      openLink,
      connections,
      requestTimeoutMs: foundation.requestTimeoutMs,
      onChange() {
        emit({ kind: 'signIn.changed' });
        profilesChanged();
      },
    }),
  );
  return {
    backend,
    addresses,
    credentials,
    campaignCache,
    reportWorker,
    forgetReads,
    forgetReports,
    profiles,
    formats,
    shownFormats: formatSetting.shown,
    formatSetting,
    grantsOf,
    profilesChanged,
    connections,
    signIn,
    serviceTimeAt: serviceClock.timeAt,
  };
}
