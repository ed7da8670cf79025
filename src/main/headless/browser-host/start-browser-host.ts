import { randomBytes } from 'node:crypto';
import {
  type AsyncDisposable,
  composeLasting,
  type ComposeOptions,
  type Core,
  createIds,
  DisposableStack,
  silentLogger,
  systemClock,
  type Clock,
  composeTraining,
  type ComposeTrainingOptions,
  type Ids,
  type Logger,
} from '#core/public.ts';
import { builtPages, type PageSource } from './built-pages.ts';
import { keepPorts, readPorts, serveCore, type ServedCore } from './serve-core.ts';
import { createShowingController } from './confirm-origin.ts';
import { workRoutes, trainingRoutes } from './host-routes.ts';
import { join } from 'node:path';
import type { HostedCore } from './app-origin.ts';
import type { ShownFormats } from '#shared/lib/shown-formats.ts';

type CoreChoices = Omit<ComposeOptions, 'host' | 'confirmer' | 'dataKey'> & {
  /** Parts of training that a test replaces. */
  training?: TrainingChoices;
};

export interface BrowserHostOptions extends CoreChoices {
  /** The built pages, `out/renderer`. */
  rendererFolder: string;
}

export interface BrowserHost extends AsyncDisposable, Pick<ServedCore, 'address'> {
  core: Core;
}

/**
 * Starts the browser host: a core on the Demo profile, the app's origin and the confirmation's, and training on two more
 * once it is opened. Sealed secrets last for
 * the session. Fails with `pages_missing`, or as {@link composeLasting}. The caller disposes.
 */
export async function startBrowserHost({
  rendererFolder,
  ...choices
}: BrowserHostOptions): Promise<BrowserHost> {
  return startBrowserHostWith(builtPages(rendererFolder), choices);
}

/** The same with the pages of another source. */
export async function startBrowserHostWith(pages: PageSource, choices: CoreChoices): Promise<BrowserHost> {
  const { clock = systemClock, logger = silentLogger } = choices;
  const ids = choices.ids ?? createIds(() => clock.nowMs());
  const controller = createShowingController({ ids, clock });
  const stack = new DisposableStack();
  try {
    const core = stack.use(
      await composeLasting({
        ...choices,
        host: 'browser',
        confirmer: controller.confirmer,
        dataKey: randomBytes(32),
      }),
    );
    const shared = { pages, clock, ids, logger };
    const { dataFolder, version } = choices;
    const training = stack.use(
      createHostedTraining({
        ...shared,
        real: core,
        followedFormats: core.info.shownFormats,
        dataFolder,
        version,
        choices: choices.training ?? {},
      }),
    );
    const hostRoutes = workRoutes(training.address);
    const ports = readPorts(dataFolder);
    const served = stack.use(
      await serveCore({ ...shared, place: 'work', core, hostRoutes, controller, ports }),
    );
    keepPorts(dataFolder, served.ports, logger);
    return { core, address: () => served.address(), dispose: () => stack.dispose() };
  } catch (failure) {
    await stack.dispose();
    throw failure;
  }
}

/** Training beside the real core, on two origins of its own. It begins when a person opens it first, and ends with the host. */
interface HostedTraining extends AsyncDisposable {
  /** A fresh address of its page, good for one page. Fails as {@link composeTraining}; the next call tries again. */
  address(): Promise<string>;
}

type TrainingChoices = Pick<ComposeTrainingOptions, 'planMission' | 'demoCampaigns'>;

interface HostedTrainingOptions {
  choices: TrainingChoices;
  dataFolder: string;
  version: string;
  real: Pick<HostedCore, 'handlers' | 'subscribe'>;
  /** How the real app writes numbers and moments at this time. */
  followedFormats(): ShownFormats;
  pages: PageSource;
  clock: Clock;
  ids: Ids;
  logger: Logger;
}

function createHostedTraining(options: HostedTrainingOptions): HostedTraining {
  let opening: Promise<AsyncDisposable & Pick<ServedCore, 'address'>> | null = null;
  return {
    async address() {
      opening ??= open(options).catch((failure: unknown) => {
        opening = null;
        throw failure;
      });
      return (await opening).address();
    },
    async dispose() {
      // One that could not be opened has left nothing.
      const opened = await opening?.catch(() => null);
      await opened?.dispose();
    },
  };
}

async function open(options: HostedTrainingOptions): Promise<AsyncDisposable & Pick<ServedCore, 'address'>> {
  const { choices, version, real, followedFormats, pages, clock, ids, logger } = options;
  const folder = join(options.dataFolder, 'training');
  const controller = createShowingController({ ids, clock });
  const stack = new DisposableStack();
  try {
    const { confirmer } = controller;
    const core = stack.use(
      await composeTraining({
        ...choices,
        dataFolder: folder,
        host: 'browser',
        confirmer,
        followedFormats,
        version,
        logger,
        clock,
        ids,
      }),
    );
    const served = stack.use(
      await serveCore({
        place: 'training',
        core,
        hostRoutes: trainingRoutes(real),
        controller,
        pages,
        ports: readPorts(folder),
        clock,
        ids,
        logger,
      }),
    );
    keepPorts(folder, served.ports, logger);
    return { address: served.address, dispose: () => stack.dispose() };
  } catch (failure) {
    await stack.dispose();
    throw failure;
  }
}
