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
} from '#core/public.ts';
import { builtPages, type PageSource } from './built-pages.ts';
import { keepPorts, readPorts, serveCore, type ServedCore } from './serve-core.ts';
import { createShowingController } from './confirm-origin.ts';
import { workRoutes } from './host-routes.ts';
import { createHostedTraining, type TrainingChoices } from './training.ts';

/** Options of the caller; the host itself brings the confirmer and the data key. */
export type CoreChoices = Omit<ComposeOptions, 'host' | 'confirmer' | 'dataKey'> & {
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
