import { join } from 'node:path';
import {
  type AsyncDisposable,
  type Clock,
  composeTraining,
  type ComposeTrainingOptions,
  DisposableStack,
  type Ids,
  type Logger,
} from '#core/public.ts';
import type { HostedCore } from './app-origin.ts';
import type { PageSource } from './built-pages.ts';
import { trainingRoutes } from './host-routes.ts';
import { keepPorts, readPorts, serveCore, type ServedCore } from './serve-core.ts';
import { createShowingController } from './confirm-origin.ts';
import type { ShownFormats } from '#shared/lib/shown-formats.ts';

/** Training beside the real core, on two origins of its own. It begins when a person opens it first, and ends with the host. */
export interface HostedTraining extends AsyncDisposable {
  /** A fresh address of its page, good for one page. Fails as {@link composeTraining}; the next call tries again. */
  address(): Promise<string>;
}

export type TrainingChoices = Pick<ComposeTrainingOptions, 'planMission' | 'demoCampaigns'>;

export interface HostedTrainingOptions {
  choices: TrainingChoices;
  /** The data folder of the real core. */
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

export function createHostedTraining(options: HostedTrainingOptions): HostedTraining {
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
