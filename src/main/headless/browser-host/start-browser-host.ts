import { randomBytes } from 'node:crypto';
import {
  type AsyncDisposable,
  composeCore,
  type ComposeOptions,
  type Core,
  createIds,
  DisposableStack,
  silentLogger,
  systemClock,
} from '#core/public.ts';
import { builtPages, type PageSource } from './built-pages.ts';
import { keepPorts, readPorts, serveCore, type ServedCore } from './serve-core.ts';
import { createSecrets, createTickets } from './session.ts';
import { createShowingController, type ShowingKey } from './confirm-origin.ts';

/** Time limit for the confirmation page to open, in milliseconds. */
const showingTicketLifeMs = 2 * 60 * 1000;

/** Options of the caller; the host itself brings the confirmer and the data key. */
export type CoreChoices = Omit<ComposeOptions, 'host' | 'confirmer' | 'dataKey'>;

export interface BrowserHostOptions extends CoreChoices {
  /** The built pages, `out/renderer`. */
  rendererFolder: string;
}

export interface BrowserHost extends AsyncDisposable, Pick<ServedCore, 'address'> {
  core: Core;
}

/**
 * Starts the browser host: a core on the Demo profile, the app's origin and the confirmation's. Sealed secrets last for
 * the session. Fails with `pages_missing`, or as {@link composeCore}. The caller disposes.
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
  const controller = createShowingController({
    tickets: createTickets<ShowingKey>({ ids, clock, lifeMs: showingTicketLifeMs }),
    secrets: createSecrets<string>(ids),
  });
  const stack = new DisposableStack();
  try {
    const core = stack.use(
      await composeCore({
        ...choices,
        host: 'browser',
        confirmer: controller.confirmer,
        dataKey: randomBytes(32),
      }),
    );
    const ports = readPorts(choices.dataFolder);
    const served = stack.use(await serveCore({ core, controller, pages, ports, clock, ids, logger }));
    keepPorts(choices.dataFolder, served.ports);
    return { core, address: () => served.address(), dispose: () => stack.dispose() };
  } catch (failure) {
    await stack.dispose();
    throw failure;
  }
}
