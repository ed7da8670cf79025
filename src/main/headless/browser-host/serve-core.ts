import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AsyncDisposable,
  type Clock,
  openAll,
  type Ids,
  type Logger,
  type LoopbackListener,
  type LoopbackOptions,
  openLoopbackListener,
} from '#core/public.ts';
import { AppError } from '#shared/errors/index.ts';
import type { PagePlace, PageRole } from '#shared/host-api/index.ts';
import {
  appRoutes,
  createStreams,
  type HostedCore,
  type HostRoutes,
  addressWith,
  createSecrets,
  createTickets,
} from './app-origin.ts';
import type { PageSource } from './built-pages.ts';
import { confirmRoutes, type DisplayController } from './confirm-origin.ts';
import { createRouter } from './router.ts';

const ticketLifeMs = 10 * 60 * 1000;

export interface ServedCore extends AsyncDisposable {
  address(): string;
  appOrigin: string;
  confirmOrigin: string;
  ports: Ports;
}

export interface ServeOptions {
  place: PagePlace;
  core: HostedCore;
  hostRoutes: HostRoutes;
  controller: DisplayController;
  pages: PageSource;
  ports: Ports;
  clock: Clock;
  ids: Ids;
  logger: Logger;
}

export async function serveCore({
  place,
  core,
  hostRoutes,
  controller,
  pages,
  ports,
  clock,
  ids,
  logger,
}: ServeOptions): Promise<ServedCore> {
  return openAll(async (stack) => {
    const tickets = createTickets<'app'>({ ids, clock, lifeMs: ticketLifeMs });
    const secrets = createSecrets<'app'>(ids);
    const events = createStreams((listener) => core.subscribe(listener));

    const confirmLog = logger.child({ part: 'confirm-origin' });
    const confirmHandler = createRouter(
      confirmRoutes({
        controller,
        confirmation: core.confirmation,
        pages: pages({ place, role: 'confirm' }),
      }),
      confirmLog,
    );
    const confirm = stack.use(
      await openOnUsualPort({ port: ports.confirm, handler: confirmHandler, logger: confirmLog }),
    );
    controller.servedAt(confirm.origin);

    const appLog = logger.child({ part: 'app-origin' });
    const appHandler = createRouter(
      appRoutes({ core, tickets, secrets, events, hostRoutes, pages: pages({ place, role: 'app' }) }),
      appLog,
    );
    const app = stack.use(await openOnUsualPort({ port: ports.app, handler: appHandler, logger: appLog }));
    stack.defer(() => {
      events.close();
      hostRoutes.close();
    });

    return {
      address: () => addressWith(app.origin, tickets.issue('app')),
      appOrigin: app.origin,
      confirmOrigin: confirm.origin,
      ports: { app: app.port, confirm: confirm.port },
      dispose: () => stack.dispose(),
    };
  });
}

export type Ports = Record<PageRole, number>;

/** Stores the ports, because a browser keeps a page's settings (theme, columns) per origin, which includes the port. */
const fileName = 'browser-host.json';

export function readPorts(folder: string): Ports {
  let found: Partial<Record<PageRole, unknown>>;
  try {
    found = JSON.parse(readFileSync(join(folder, fileName), 'utf8')) as typeof found;
  } catch {
    // At the first start, or if the file was edited, new ports are chosen.
    found = {};
  }
  return { app: portOr0(found.app), confirm: portOr0(found.confirm) };
}

export function keepPorts(folder: string, ports: Ports, logger: Logger): void {
  try {
    writeFileSync(join(folder, fileName), `${JSON.stringify(ports)}\n`, { mode: 0o600 });
  } catch (failure) {
    logger.warn({ failure }, 'The ports cannot be kept: the next start has others');
  }
}

function portOr0(value: unknown): number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 65_536 ? value : 0;
}

async function openOnUsualPort(options: LoopbackOptions): Promise<LoopbackListener> {
  try {
    return await openLoopbackListener(options);
  } catch (failure) {
    if (!(failure instanceof AppError) || failure.code !== 'port_taken') throw failure;
    options.logger.warn({ port: options.port }, 'The usual port is taken; another one is chosen');
    return openLoopbackListener({ ...options, port: 0 });
  }
}
