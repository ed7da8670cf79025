import type { Backend } from './backend/index.ts';
import { composeCore, type ComposeOptions, type Core } from './compose.ts';
import { systemClock } from './platform/clock.ts';
import { DisposableStack } from './platform/disposable.ts';
import { createIds } from './platform/ids.ts';
import { silentLogger } from './platform/logger.ts';
import { lockFolder } from './store/sqlite/index.ts';
import { openTrainingStore } from './store/training/index.ts';
import { createTraining } from './training/index.ts';

/** The parts that a host brings to training. Its data folder is one of its own: `training` in the data folder of the real core. */
export type ComposeTrainingOptions = Pick<
  ComposeOptions,
  'dataFolder' | 'host' | 'confirmer' | 'version' | 'logger' | 'clock' | 'ids' | 'demoCampaigns'
>;

/** The profile of every workspace: its embedded service. */
const profileName = 'Training';

/** Campaigns of a workspace: enough to choose from, and few enough to be there at once. */
const usualCampaigns = 60;

/**
 * Makes the core of training: no service but the embedded ones of its workspaces, and no way to another core, its folder or its
 * profiles (docs/decisions/0048). Hosts serve it as they serve the real one. Fails as {@link composeCore}.
 */
export async function composeTraining(options: ComposeTrainingOptions): Promise<Core> {
  const { dataFolder: folder, host, version, logger = silentLogger, clock = systemClock } = options;
  const { demoCampaigns = usualCampaigns } = options;
  const ids = options.ids ?? createIds(() => clock.nowMs());
  const stack = new DisposableStack();
  try {
    stack.use(lockFolder({ folder, host, clock }));
    const store = stack.use(openTrainingStore({ folder, clock, logger }));
    const training = stack.use(
      createTraining({
        ...options,
        folder,
        store,
        profileName,
        async openCore({ folder: dataFolder, dataKey, confirmer }) {
          let service: Backend | undefined;
          const core = await composeCore({
            dataFolder,
            dataKey,
            confirmer,
            host,
            version,
            logger,
            clock,
            ids,
            demoCampaigns,
            onlyProfile: profileName,
            onDemoService: (made) => (service = made),
          });
          if (service === undefined) throw new Error('A core without its embedded service');
          return { core, service };
        },
        clock,
        ids,
        logger,
      }),
    );
    const { handlers, subscribe, confirmation, suspend, resume, profile, serviceUrl } = training;
    return {
      handlers,
      subscribe,
      confirmation,
      suspend,
      resume,
      info: {
        version,
        host,
        profile,
        get serviceUrl() {
          return serviceUrl();
        },
        setAside: store.setAside === null ? [] : [store.setAside],
      },
      dispose: () => stack.dispose(),
    };
  } catch (failure) {
    await stack.dispose();
    throw failure;
  }
}
