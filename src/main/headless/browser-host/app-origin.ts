import { appApi, type AppRequest } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { ticketSchema } from '#shared/host-api/index.ts';
import type { EventStreams } from './event-stream.ts';
import type { HostedCore } from './hosted-core.ts';
import type { Secrets } from './session/secrets.ts';
import type { Tickets } from './session/tickets.ts';
import { answerJson } from './wire/answer.ts';
import { readInput } from './wire/read-input.ts';
import type { Route } from './wire/router.ts';
import { secretOf } from './wire/secret-header.ts';

export interface AppOriginParts {
  core: Pick<HostedCore, 'handlers'>;
  tickets: Tickets<'app'>;
  secrets: Secrets<'app'>;
  events: EventStreams;
  pages: Route;
}

const apiPath = '/api/';

/**
 * What the app's origin answers: its page, one exchange of a ticket for a secret, and with the secret every request of
 * the app API and its events. Nothing here can answer a confirmation.
 */
export function appRoutes({ core, tickets, secrets, events, pages }: AppOriginParts): Route[] {
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
        const name = requestNamed(path.slice(apiPath.length));
        const input = await readInput<unknown>(request, appApi[name].input);
        // The schema above is the handler's own; TypeScript cannot follow the pair through the union of all names.
        const handle = core.handlers[name] as (input: unknown) => Promise<unknown>;
        answerJson(response, { output: await handle(input) });
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
    pages,
  ];
}

function requestNamed(name: string): AppRequest {
  if (!Object.hasOwn(appApi, name)) throw new AppError('not_found');
  return name as AppRequest;
}
