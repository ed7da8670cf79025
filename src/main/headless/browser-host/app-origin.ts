import type { IncomingMessage, ServerResponse } from 'node:http';
import { appApi, type AppEvent, type AppHandlers, callHandler, requestNamed } from '#shared/app-api/index.ts';
import { type ConfirmationPort, ticketSchema } from '#shared/host-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { answerJson, readInput, type Route, secretOf } from './router.ts';
import { createHash } from 'node:crypto';
import { type Clock, type Ids, isSameSecret } from '#core/public.ts';

export interface HostedCore {
  handlers: AppHandlers;
  subscribe(listener: (event: AppEvent) => void): () => void;
  confirmation: ConfirmationPort;
}

export interface HostRoutes {
  routes(check: (request: IncomingMessage) => void): Route[];
  close(): void;
}

interface AppOriginParts {
  core: Pick<HostedCore, 'handlers'>;
  tickets: Tickets<'app'>;
  secrets: Secrets<'app'>;
  events: Streams;
  hostRoutes: Pick<HostRoutes, 'routes'>;
  pages: Route;
}

const apiPath = '/api/';

/** Routes of the app's origin: the page, its ticket, and, with the secret, app API and events. No route can answer a confirmation. */
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

/** Interval of blank lines on a quiet stream, so that the page can distinguish a quiet stream from a lost connection. */
const heartbeatMs = 15_000;

/**
 * A client with more unread bytes is disconnected, so that the memory stays limited; its page connects again and reads
 * everything again.
 */
const maxUnreadBytes = 1024 * 1024;

interface Streams {
  open(response: ServerResponse): void;
  close(): void;
}

export function createStreams(subscribe: (listener: (item: unknown) => void) => () => void): Streams {
  const open = new Set<ServerResponse>();
  return {
    open(response) {
      response.writeHead(200, { 'content-type': 'application/x-ndjson; charset=utf-8' });
      const send = (line: string): void => {
        // Parts that end with the host still send events after their pages have disconnected.
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

const hash = (secret: string): string => createHash('sha256').update(secret).digest('hex');

function createKeyring<T>() {
  let entries: { hash: string; value: T }[] = [];
  return {
    add(secret: string, value: T): void {
      entries.push({ hash: hash(secret), value });
    },
    find(secret: string): T | null {
      const sought = hash(secret);
      let found: T | null = null;
      for (const entry of entries) if (isSameSecret(sought, entry.hash)) found = entry.value;
      return found;
    },
    values: (): T[] => entries.map(({ value }) => value),
    remove(matches: (value: T) => boolean): void {
      entries = entries.filter(({ value }) => !matches(value));
    },
  };
}

interface Secrets<T> {
  admit(value: T): string;
  /** Returns the value that belongs to the secret. Fails with `not_signed_in`. */
  check(secret: string | undefined): T;
  revoked(secret: string | undefined): T | null;
  revoke(matches: (value: T) => boolean): void;
}

const maxRevoked = 64;

export function createSecrets<T>(ids: Ids): Secrets<T> {
  const admitted = createKeyring<{ value: T; revocation: number | null }>();
  let revocations = 0;
  const find = (secret: string | undefined) => (secret === undefined ? null : admitted.find(secret));
  return {
    admit(value) {
      const secret = ids.secret();
      admitted.add(secret, { value, revocation: null });
      return secret;
    },
    check(secret) {
      const found = find(secret);
      if (found === null || found.revocation !== null) throw new AppError('not_signed_in');
      return found.value;
    },
    revoked(secret) {
      const found = find(secret);
      return found === null || found.revocation === null ? null : found.value;
    },
    revoke(matches) {
      for (const entry of admitted.values())
        if (entry.revocation === null && matches(entry.value)) entry.revocation = revocations += 1;
      admitted.remove(({ revocation }) => revocation !== null && revocation <= revocations - maxRevoked);
    },
  };
}

interface Tickets<T> {
  issue(value: T): string;
  redeem(ticket: string): T;
  revoke(matches: (value: T) => boolean): void;
}

interface TicketOptions {
  ids: Ids;
  clock: Clock;
  lifeMs: number;
}

export function createTickets<T>({ ids, clock, lifeMs }: TicketOptions): Tickets<T> {
  const waiting = createKeyring<{ value: T; expiresAtMs: number }>();

  function forgetExpired(): void {
    waiting.remove(({ expiresAtMs }) => expiresAtMs <= clock.nowMs());
  }

  return {
    issue(value) {
      forgetExpired();
      const ticket = ids.secret();
      waiting.add(ticket, { value, expiresAtMs: clock.nowMs() + lifeMs });
      return ticket;
    },
    redeem(ticket) {
      forgetExpired();
      const found = waiting.find(ticket);
      if (found === null) throw new AppError('not_signed_in');
      waiting.remove((candidate) => candidate === found);
      return found.value;
    },
    revoke(matches) {
      waiting.remove(({ value }) => matches(value));
    },
  };
}

/** The address that a person opens. The ticket is in the fragment, which browsers do not send to a server. */
export function addressWith(origin: string, ticket: string): string {
  return `${origin}/#ticket=${ticket}`;
}
