import type { IncomingMessage, ServerResponse } from 'node:http';
import { appApi, type AppEvent, type AppHandlers, callHandler, requestNamed } from '#shared/app-api/index.ts';
import { type ConfirmationPort, ticketSchema } from '#shared/host-api/index.ts';
import { answerJson, readInput, type Route, secretOf } from './router.ts';
import type { Secrets, Tickets } from './session.ts';

/** The part of a core that the two origins use. */
export interface HostedCore {
  handlers: AppHandlers;
  subscribe(listener: (event: AppEvent) => void): () => void;
  confirmation: ConfirmationPort;
}

/** A page's routes to its host itself. */
export interface HostRoutes {
  /** `check` fails unless the request has the secret of that page. */
  routes(check: (request: IncomingMessage) => void): Route[];
  /** Ends what is streamed. */
  close(): void;
}

export interface AppOriginParts {
  core: Pick<HostedCore, 'handlers'>;
  tickets: Tickets<'app'>;
  secrets: Secrets<'app'>;
  events: Streams;
  /** The page's routes to the host itself. */
  hostRoutes: Pick<HostRoutes, 'routes'>;
  pages: Route;
}

const apiPath = '/api/';

/**
 * The routes of the app's origin: its page, one exchange of a ticket for a secret, and with the secret every request of
 * the app API, its events, and the few of its host. Nothing here can answer a confirmation.
 */
export function appRoutes({ core, tickets, secrets, events, hostRoutes, pages }: AppOriginParts): Route[] {
  return [
    {
      method: 'POST',
      path: '/session',
      async answer(request, response) {
        const { ticket } = await readInput(request, ticketSchema);
        answerJson(response, { secret: secrets.admit(tickets.redeem(ticket)) });
      },
    },
    {
      method: 'POST',
      path: apiPath,
      async answer(request, response, path) {
        secrets.check(secretOf(request));
        const name = requestNamed(appApi, path.slice(apiPath.length));
        const input = await readInput<unknown>(request, appApi[name].input);
        answerJson(response, { output: await callHandler(core.handlers, name, input) });
      },
    },
    {
      method: 'GET',
      path: '/events',
      answer(request, response) {
        secrets.check(secretOf(request));
        events.open(response);
      },
    },
    ...hostRoutes.routes((request) => void secrets.check(secretOf(request))),
    pages,
  ];
}

/** Interval of the blank lines on a quiet stream, so that the page can tell quiet from gone. */
const heartbeatMs = 15_000;

/** A reader that lets this much pile up is gone; its page connects again and reads everything anew. */
const maxUnreadBytes = 1024 * 1024;

export interface Streams {
  /** Answers with what there is to tell, one JSON object per line, until the page goes away. */
  open(response: ServerResponse): void;
  /** Ends every stream. */
  close(): void;
}

/** Streams whatever is told, each to as many pages as listen. */
export function createStreams(subscribe: (listener: (item: unknown) => void) => () => void): Streams {
  const open = new Set<ServerResponse>();
  return {
    open(response) {
      response.writeHead(200, { 'content-type': 'application/x-ndjson; charset=utf-8' });
      const send = (line: string): void => {
        // Parts that end with the host still report, after its pages are gone.
        if (response.writableEnded) return;
        if (response.writableLength > maxUnreadBytes) response.destroy();
        else response.write(`${line}\n`);
      };
      send('');
      const unsubscribe = subscribe((item) => send(JSON.stringify(item)));
      const heartbeat = setInterval(() => send(''), heartbeatMs);
      open.add(response);
      response.once('close', () => {
        clearInterval(heartbeat);
        unsubscribe();
        open.delete(response);
      });
    },
    close() {
      for (const response of open) response.end();
    },
  };
}
