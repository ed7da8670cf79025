import type { ProfileView } from '#shared/app-api/index.ts';
import type { Backend } from '../backend/index.ts';
import { composeCore, type Core } from './compose.ts';
import { preloadLibraries } from './load-later.ts';
import type { ComposeOptions } from './options.ts';
import type { Confirmer } from '#shared/host-api/index.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { openAll } from '../platform/disposable.ts';
import { createIds, type Ids } from '../platform/ids.ts';
import { type Logger, silentLogger } from '../platform/logger.ts';
import { lockFolder } from '#core/store/sqlite/folder-lock.ts';
import { openTrainingStore } from '../store/training/index.ts';
import { planMission } from '#shared/training/plan/index.ts';
import { createTraining } from '../training/index.ts';
import { type ShownFormats, defaultShownFormats } from '#shared/lib/formats.ts';

/** The host's options for training. Its data folder is `training` in the data folder of the real core. */
export interface ComposeTrainingOptions {
  dataFolder: string;
  host: ComposeOptions['host'];
  confirmer: Confirmer;
  version: string;
  logger?: Logger;
  clock?: Clock;
  ids?: Ids;
  demoCampaigns?: number;
  followedFormats?(): ShownFormats;
  planMission?: typeof planMission;
  pictureNetwork?: ComposeOptions['pictureNetwork'];
}

const profile: ProfileView = { id: 'demo', name: 'Training', kind: 'demo', account: '', zone: 'UTC' };

/** Campaigns of a workspace: the largest mission needs 55 approved ones, and more would take longer to create. */
const defaultCampaigns = 80;

/** The core of training, with only the embedded services of its workspaces (docs/decisions/0058). Fails as {@link composeCore}. */
export async function composeTraining(options: ComposeTrainingOptions): Promise<Core> {
  const { dataFolder: folder, host, version, logger = silentLogger, clock = systemClock } = options;
  const {
    confirmer,
    demoCampaigns = defaultCampaigns,
    followedFormats = () => defaultShownFormats,
  } = options;
  const ids = options.ids ?? createIds(() => clock.nowMs());
  return openAll(async (stack) => {
    const lock = stack.use(lockFolder({ folder, host, clock }));
    // Every mission needs the libraries. They load while a person types a name.
    stack.defer(preloadLibraries(clock, 500));
    const store = stack.use(openTrainingStore({ folder, clock, logger, lock }));
    const training = stack.use(
      createTraining({
        planMission: options.planMission ?? planMission,
        version,
        host,
        confirmer,
        folder,
        store,
        followedFormats,
        profile,
        async openCore({ folder: dataFolder, dataKey, confirmer: ownConfirmer, serviceClock }) {
          let service: Backend | undefined;
          const core = await composeCore({
            dataFolder,
            dataKey,
            confirmer: ownConfirmer,
            host,
            version,
            logger,
            clock,
            serviceClock,
            ids,
            demoCampaigns,
            onlyProfile: profile.name,
            followedFormats,
            // Training sends nothing to other computers, although a campaign may contain any address.
            pictureNetwork: { ...options.pictureNetwork, isOwnOnly: true },
            // A mission has its own limits, which the policy of the computer must not change.
            policyPlace: null,
            onDemoService(made) {
              service = made;
              // Runs before the tools are pinned. Arguments can be hidden
              // in a commit only if its definition allows additional ones.
              made.allowExtraArguments('svc_commit');
            },
          });
          if (service === undefined) throw new Error('A core without its embedded service');
          return { core, service };
        },
        clock,
        ids,
        logger,
      }),
    );
    const { handlers, subscribe, confirmation, suspend, resume, serviceUrl } = training;
    return {
      handlers,
      subscribe,
      confirmation,
      suspend,
      resume,
      info: {
        version,
        host,
        profile: training.profile,
        shownFormats: followedFormats,
        get serviceUrl() {
          return serviceUrl();
        },
        setAsideFiles: store.setAside === null ? [] : [store.setAside],
      },
      dispose: () => stack.dispose(),
    };
  });
}
