import type { IncomingMessage } from 'node:http';
import { AppError } from '#shared/errors/index.ts';
import { decisionSchema, seenSchema, ticketSchema, type ConfirmationPort } from '#shared/host-api/index.ts';
import type { ShowingDesk } from './showing-desk.ts';
import { answerJson } from './wire/answer.ts';
import { readInput, type InputSchema } from './wire/read-input.ts';
import type { Route } from './wire/router.ts';
import { secretOf } from './wire/secret-header.ts';

export interface ConfirmOriginParts {
  desk: ShowingDesk;
  confirmation: ConfirmationPort;
  pages: Route;
}

/**
 * What the confirmation's origin answers: its page, and with the secret of one showing the three things that a page may
 * do with that showing. The app's pages are another origin, which the listener's guard refuses here.
 */
export function confirmRoutes({ desk, confirmation, pages }: ConfirmOriginParts): Route[] {
  async function readFor<T extends { showingId: string }>(
    request: IncomingMessage,
    schema: InputSchema<T>,
  ): Promise<T> {
    const showingId = desk.opened(secretOf(request));
    const input = await readInput(request, schema);
    if (input.showingId !== showingId) throw new AppError('showing_unknown');
    return input;
  }

  return [
    {
      method: 'POST',
      path: '/session',
      async answer(request, response) {
        const { ticket } = await readInput(request, ticketSchema);
        const { key, secret } = desk.enter(ticket);
        answerJson(response, { secret, showing: confirmation.look(key) });
      },
    },
    {
      method: 'POST',
      path: '/confirmation/look',
      async answer(request, response) {
        answerJson(response, { output: confirmation.look(await readFor(request, seenSchema)) });
      },
    },
    {
      method: 'POST',
      path: '/confirmation/seen',
      async answer(request, response) {
        confirmation.seen(await readFor(request, seenSchema));
        answerJson(response, { output: null });
      },
    },
    {
      method: 'POST',
      path: '/confirmation/decide',
      async answer(request, response) {
        const result = await confirmation.decide(await readFor(request, decisionSchema));
        const secret = result.again === null ? null : desk.admit(result.again);
        answerJson(response, { output: { result, secret } });
      },
    },
    pages,
  ];
}
