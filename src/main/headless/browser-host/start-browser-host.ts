import { randomBytes } from 'node:crypto';
import {
  type AsyncDisposable,
  composeRestartable,
  type CoreSettings,
  type Core,
  createIds,
  DisposableStack,
  openAll,
  silentLogger,
  systemClock,
  type Clock,
  composeTraining,
  type Ids,
  type Logger,
} from '#core/public.ts';
import type { PageSource } from './built-pages.ts';
import { keepPorts, readPorts, serveCore, type ServedCore } from './serve-core.ts';
import { createDisplayController } from './confirm-origin.ts';
import { join } from 'node:path';
import { type HostedCore, createStreams, type HostRoutes } from './app-origin.ts';
import type { ShownFormats } from '#shared/lib/shown-formats.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { noInput, type RealWork } from '#shared/host-api/index.ts';
import type { planMission } from '#shared/training/plan/index.ts';
import { answerJson, readInput, type Route } from './router.ts';

export interface BrowserHostOptions extends CoreSettings {
  pages: PageSource;
  training?: TrainingChoices;
}

interface TrainingChoices {
  planMission?: typeof planMission;
  demoCampaigns?: number;
}

export interface BrowserHost extends AsyncDisposable {
  core: Core;
  /** Returns a new address of the app, valid for one page. */
  address(): string;
}

/** Starts a core on Demo with its origins; training at first use. Secrets last for the session. Fails as {@link composeRestartable}. */
export async function startBrowserHost(options: BrowserHostOptions): Promise<BrowserHost> {
  const { pages, training: trainingChoices = {}, ...settings } = options;
  const { dataFolder, version, clock = systemClock, logger = silentLogger } = settings;
  const ids = settings.ids ?? createIds(() => clock.nowMs());
  const controller = createDisplayController({ ids, clock });
  return openAll(async (stack) => {
    const { confirmer } = controller;
    const dataKey = randomBytes(32);
    const core = stack.use(await composeRestartable({ ...settings, host: 'browser', confirmer, dataKey }));
    const training = stack.use(
      createHostedTraining({
        choices: trainingChoices,
        folder: join(dataFolder, 'training'),
        version,
        real: core,
        followedFormats: core.info.shownFormats,
        pages,
        clock,
        ids,
        logger,
      }),
    );
    const served = stack.use(
      await serveCore({
        place: 'work',
        core,
        hostRoutes: workRoutes(training.address),
        controller,
        pages,
        ports: readPorts(dataFolder),
        clock,
        ids,
        logger,
      }),
    );
    keepPorts(dataFolder, served.ports, logger);
    return { core, address: () => served.address(), dispose: () => stack.dispose() };
  });
}

interface HostedTrainingOptions {
  choices: TrainingChoices;
  folder: string;
  version: string;
  real: Pick<HostedCore, 'handlers' | 'subscribe'>;
  followedFormats(): ShownFormats;
  pages: PageSource;
  clock: Clock;
  ids: Ids;
  logger: Logger;
}

function createHostedTraining(options: HostedTrainingOptions) {
  const { choices, folder, version, real, followedFormats, pages, clock, ids, logger } = options;
  const stack = new DisposableStack();
  let opening: Promise<ServedCore> | null = null;

  function open(): Promise<ServedCore> {
    const controller = createDisplayController({ ids, clock });
    return openAll(async (parts) => {
      const core = parts.use(
        await composeTraining({
          ...choices,
          dataFolder: folder,
          host: 'browser',
          confirmer: controller.confirmer,
          followedFormats,
          version,
          logger,
          clock,
          ids,
        }),
      );
      const served = parts.use(
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
      stack.use(parts);
      return served;
    });
  }

  return {
    async address(): Promise<string> {
      opening ??= open().catch((failure: unknown) => {
        opening = null;
        throw failure;
      });
      return (await opening).address();
    },
    async dispose(): Promise<void> {
      // A core that could not be opened has nothing to dispose.
      await opening?.catch(() => null);
      await stack.dispose();
    },
  };
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
 * Training may only see the number of waiting real changes, open one of them in the real confirmation, and stop the real
 * agents.
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
