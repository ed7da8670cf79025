import { demoCredentials, openDemoService } from './demo-service.ts';
import {
  createConnections,
  createGrantStores,
  createSignInController,
  olderServiceSetting,
} from '../connections/index.ts';
import { createCredentials, createProfiles, demoProfile, type Profiles } from '../profiles/index.ts';
import { createCampaignCache, createFirstScreen } from '../reads/index.ts';
import { createStoredReportWorker } from '../reports/index.ts';
import type { Foundation } from './foundation.ts';
import type { ComposeOptions } from './options.ts';
import { type Formats, type ShownFormats, formatsOf, defaultShownFormats } from '#shared/lib/formats.ts';
import { shownFormatsSchema } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { AppStore } from '../store/app/index.ts';
import { jsonOrNull } from '#shared/lib/json/json-value.ts';

export type ConnectionSide = Awaited<ReturnType<typeof composeConnections>>;

export async function composeConnections(options: ComposeOptions, foundation: Foundation) {
  const { store, sealer, clock, serviceClock, ids, logger, emit, stack } = foundation;
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
  const hasAllProfiles = options.onlyProfile === undefined;
  const firstScreen = stack.use(
    createFirstScreen({
      store,
      folder: foundation.folder,
      version: options.version,
      formats: () => storedFormats(store),
      clock,
      logger,
    }),
  );
  // Only the desktop app draws a window before its core is ready.
  if (!hasAllProfiles || options.host !== 'desktop') firstScreen.end();
  const reportWorker = stack.use(
    createStoredReportWorker({ folder: foundation.folder, profiles: store.profiles, clock, logger }),
  );
  const { forget: forgetReports } = reportWorker;
  const forgetReads = (profileId: string): void => {
    campaignCache.forget(profileId);
    firstScreen.forget(profileId);
    forgetReports(profileId);
    store.settings.remove(olderServiceSetting(profileId));
  };
  const profiles = createProfiles({
    store,
    forgetReads,
    demo: demoProfile({
      name: options.onlyProfile,
      account: backend.issueDemoCredentials().uid,
      addresses,
    }),
    liveAllowed: options.host === 'desktop' && hasAllProfiles,
    policy: foundation.policy,
    clock,
    ids,
  });
  firstScreen.follow(profiles.current());
  const followed = hasAllProfiles ? null : (options.followedFormats ?? (() => defaultShownFormats));
  const formatSetting = createFormatSetting(foundation, profiles, followed);
  const { formats } = formatSetting;
  const grantsOf = createGrantStores({ store, credentials, clock });
  const profilesChanged = (): void => emit({ kind: 'profiles.changed' });
  const connections = stack.use(
    createConnections({
      profiles,
      credentials,
      demo: demoCredentials(backend, clock),
      grantsOf,
      settings: store.settings,
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
    firstScreen,
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

const formatsSetting = 'shown.formats';

/** The formats of numbers and times for all profiles and windows. In training, `followed` returns the real app's setting. */
function createFormatSetting(
  { store, emit, subscribe }: Foundation,
  profiles: Pick<Profiles, 'current'>,
  followed: (() => ShownFormats) | null,
) {
  const shown = followed ?? (() => stored);
  let stored = storedFormats(store);
  let cached: { of: ShownFormats; formats: Formats } | null = null;
  subscribe(({ kind }) => {
    if (kind === 'profiles.changed') cached = null;
  });
  return {
    shown,
    formats(): Formats {
      const now = shown();
      if (cached?.of !== now) cached = { of: now, formats: formatsOf(now, profiles.current().zone) };
      return cached.formats;
    },
    /** Sets the formats. Fails with `formats_elsewhere` in training. */
    set(formats: ShownFormats): void {
      if (followed !== null) throw new AppError('formats_elsewhere');
      store.settings.set(formatsSetting, JSON.stringify(formats));
      stored = formats;
      emit({ kind: 'formats.changed' });
    },
  };
}

function storedFormats({ settings }: AppStore): ShownFormats {
  const text = settings.get(formatsSetting);
  const stored = text === null ? null : shownFormatsSchema.safeParse(jsonOrNull(text));
  return stored?.data ?? defaultShownFormats;
}
