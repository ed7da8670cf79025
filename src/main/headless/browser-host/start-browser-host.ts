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
import { join } from 'node:path';
import { type HostedCore, createStreams, type HostRoutes } from './app-origin.ts';
import type { ShownFormats } from '#shared/lib/shown-formats.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { noInput, type RealWork } from '#shared/host-api/index.ts';
import { answerJson, readInput, type Route } from './router.ts';

type CoreChoices = Omit<ComposeOptions, 'host' | 'confirmer' | 'dataKey'> & {
  training?: TrainingChoices;
};

export interface BrowserHostOptions extends CoreChoices {
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

function post(path: string, check: (request: IncomingMessage) => void, run: () => Promise<unknown>): Route {
  return {
    method: 'POST',
    path,
    async answer(request: IncomingMessage, response: ServerResponse) {
      check(request);
      await readInput(request, noInput);
      answerJson(response, { output: await run() });
    },
  };
}

function workRoutes(openTraining: () => Promise<string>): HostRoutes {
  return {
    routes: (check) => [post('/host/open-training', check, async () => ({ address: await openTraining() }))],
    close: () => undefined,
  };
}

/**
 * The training page may see how much real work waits, be shown a real change in the real confirmation, and stop the real agents. It
 * gets no answer of the real core beside these, and can decide nothing.
 */
function trainingRoutes(real: Pick<HostedCore, 'handlers' | 'subscribe'>): HostRoutes {
  const { handlers } = real;
  const streams = createStreams((listener) => watchRealWork(real, listener));
  const routes = (check: (request: IncomingMessage) => void): Route[] => [
    post('/host/review-real', check, async () => {
      const { items } = await handlers['proposals.list']({ which: 'waiting', before: null, limit: 1 });
      const [first] = items;
      if (first === undefined) return { address: null };
      const { address } = await handlers['proposals.review']({ id: first.id });
      return { address };
    }),
    post('/host/stop-real-agents', check, () => handlers['emergencyStop.start']({})),
    {
      method: 'GET',
      path: '/host/real-work',
      answer(request, response) {
        check(request);
        streams.open(response);
      },
    },
  ];
  return { routes, close: streams.close };
}

function watchRealWork(
  { handlers, subscribe }: Pick<HostedCore, 'handlers' | 'subscribe'>,
  listener: (work: RealWork) => void,
): () => void {
  let last: RealWork | null = null;
  let isLooking = false;
  let isOutdated = false;

  async function read(): Promise<RealWork> {
    const [{ total }, { frozenSinceMs }] = await Promise.all([
      handlers['proposals.list']({ which: 'waiting', before: null, limit: 1 }),
      handlers['agents.get']({}),
    ]);
    return { waiting: total, frozen: frozenSinceMs !== null };
  }

  async function look(): Promise<void> {
    isOutdated = isLooking;
    if (isLooking) return;
    isLooking = true;
    const found = await read().catch(() => ({ waiting: null, frozen: null }));
    isLooking = false;
    if (found.waiting !== last?.waiting || found.frozen !== last.frozen) listener(found);
    last = found;
    if (isOutdated) await look();
  }

  const stop = subscribe(({ kind }) => {
    if (kind === 'proposals.changed' || kind === 'agents.changed') void look();
  });
  void look();
  return stop;
}
