import type { Clock } from '#core/platform/clock.ts';
import { DisposableStack, type AsyncDisposable } from '#core/platform/disposable.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { Logger } from '#core/platform/logger.ts';
import { addressWith } from './address.ts';
import { appRoutes } from './app-origin.ts';
import { confirmRoutes } from './confirm-origin.ts';
import { createEventStreams } from './event-stream.ts';
import type { HostedCore } from './hosted-core.ts';
import type { PageSource } from './pages/page-source.ts';
import { openOnUsualPort, type Ports } from './ports.ts';
import { createSecrets } from './session/secrets.ts';
import { createTickets } from './session/tickets.ts';
import type { ShowingDesk } from './showing-desk.ts';
import { createRouter } from './wire/router.ts';

/** How long a printed address waits to be opened. */
const ticketLifeMs = 10 * 60 * 1000;

export interface ServedCore extends AsyncDisposable {
  /** A fresh address of the app, good for one page. */
  address(): string;
  appOrigin: string;
  confirmOrigin: string;
  ports: Ports;
}

export interface ServeOptions {
  core: HostedCore;
  desk: ShowingDesk;
  pages: PageSource;
  /** Where the origins were before; 0 takes any free port. */
  ports: Ports;
  clock: Clock;
  ids: Ids;
  logger: Logger;
}

/** Opens the two origins over a core: the app's and the confirmation's. Fails with what a listener fails with. */
export async function serveCore({
  core,
  desk,
  pages,
  ports,
  clock,
  ids,
  logger,
}: ServeOptions): Promise<ServedCore> {
  const stack = new DisposableStack();
  try {
    const tickets = createTickets<'app'>({ ids, clock, lifeMs: ticketLifeMs });
    const secrets = createSecrets<'app'>(ids);
    const events = createEventStreams((listener) => core.subscribe(listener));

    const confirmLog = logger.child({ part: 'confirm-origin' });
    const confirmHandler = createRouter(
      confirmRoutes({ desk, confirmation: core.confirmation, pages: pages('confirm') }),
      confirmLog,
    );
    const confirm = stack.use(
      await openOnUsualPort({ port: ports.confirm, handler: confirmHandler, logger: confirmLog }),
    );
    desk.servedAt(confirm.origin);

    const appLog = logger.child({ part: 'app-origin' });
    const appHandler = createRouter(
      appRoutes({ core, tickets, secrets, events, pages: pages('app') }),
      appLog,
    );
    const app = stack.use(await openOnUsualPort({ port: ports.app, handler: appHandler, logger: appLog }));
    stack.defer(() => events.close());

    return {
      address: () => addressWith(app.origin, tickets.issue('app')),
      appOrigin: app.origin,
      confirmOrigin: confirm.origin,
      ports: { app: app.port, confirm: confirm.port },
      dispose: () => stack.dispose(),
    };
  } catch (failure) {
    await stack.dispose();
    throw failure;
  }
}
