import { callHandler, type OutputOf, requestNamed } from '#shared/app-api/index.ts';
import type { Clock, Ids } from '#core/public.ts';
import { AppError } from '#shared/errors/index.ts';
import {
  type ConfirmationPort,
  type Confirmer,
  type Seen,
  showingApi,
  type Showing,
  ticketSchema,
} from '#shared/host-api/index.ts';
import { answerJson, readInput, type Route, secretOf } from './router.ts';
import { addressWith, createSecrets, createTickets } from './app-origin.ts';

export interface ConfirmOriginParts {
  controller: ShowingController;
  confirmation: ConfirmationPort;
  pages: Route;
}

const confirmationPath = '/confirmation/';

/** Requests that the page repeats by timer, and which may therefore cross the end of their display. */
const repeated: ReadonlySet<keyof ShowingApi> = new Set(['look', 'seen', 'progress']);

export function confirmRoutes({ controller, confirmation, pages }: ConfirmOriginParts): Route[] {
  return [
    {
      method: 'POST',
      path: '/session',
      async answer(request, response) {
        const { ticket } = await readInput(request, ticketSchema);
        const { key, secret } = controller.enter(ticket);
        answerJson(response, { secret, showing: confirmation.look(key) });
      },
    },
    {
      method: 'POST',
      path: confirmationPath,
      async answer(request, response, path) {
        const name = requestNamed(showingApi, path.slice(confirmationPath.length));
        const secret = secretOf(request);
        const mayHaveEnded = repeated.has(name);
        if (!mayHaveEnded || controller.ended(secret) === null) controller.opened(secret);
        const input = await readInput<Seen>(request, showingApi[name].input);
        const endedId = mayHaveEnded ? controller.ended(secret) : null;
        if (input.showingId !== (endedId ?? controller.opened(secret))) throw new AppError('showing_unknown');
        // The display ended before its page was notified. Answering normally avoids an error in the browser's console.
        if (endedId !== null) return answerJson(response, { output: null });
        const output = await callHandler(confirmation, name, input);
        const open = goesOn[name]?.(input, output as never);
        if (open === undefined) return answerJson(response, { output: output ?? null });
        controller.leave(input);
        const session = open && { ...keyOf(open), secret: controller.admit(open) };
        answerJson(response, { output, session });
      },
    },
    pages,
  ];
}

type ShowingApi = typeof showingApi;

const goesOn: { [R in keyof ShowingApi]?: (asked: Seen, output: OutputOf<ShowingApi, R>) => Seen | null } = {
  prepareAgain: (_asked, showing) => showing,
  undo: (_asked, showing) => showing,
  turn: (asked, { showing }) => showing ?? asked,
  // After a decision without a next display, the secret opens only the undo, the progress and the next display of the review.
  decide: (asked, { again, next, review, proposal }) =>
    again ?? next?.showing ?? (review !== undefined || proposal.undo?.canUndo === true ? asked : null),
};

const keyOf = ({ showingId, nonce }: Seen): Seen => ({ showingId, nonce });

export interface ShowingController {
  confirmer: Confirmer;
  servedAt(origin: string): void;
  enter(ticket: string): { key: Seen; secret: string };
  /** Returns the id of the only display that the secret opens. Fails with `not_signed_in`. */
  opened(secret: string | undefined): string;
  ended(secret: string | undefined): string | null;
  admit(showing: Pick<Showing, 'showingId'>): string;
  leave(showing: Pick<Showing, 'showingId'>): void;
}

const showingTicketLifeMs = 2 * 60 * 1000;

export function createShowingController({ ids, clock }: { ids: Ids; clock: Clock }): ShowingController {
  const tickets = createTickets<Seen>({ ids, clock, lifeMs: showingTicketLifeMs });
  const secrets = createSecrets<string>(ids);
  let origin: string | null = null;

  function hide(showingId: string): void {
    tickets.revoke((key) => key.showingId === showingId);
    secrets.revoke((id) => id === showingId);
  }

  return {
    confirmer: {
      via: 'browser',
      async show({ showingId, nonce }) {
        if (origin === null) throw new Error('A showing before the confirmation pages are served');
        return { address: addressWith(origin, tickets.issue({ showingId, nonce })) };
      },
      hide,
    },
    servedAt(confirmOrigin) {
      origin = confirmOrigin;
    },
    enter(ticket) {
      const key = tickets.redeem(ticket);
      return { key, secret: secrets.admit(key.showingId) };
    },
    opened: (secret) => secrets.check(secret),
    ended: (secret) => secrets.revoked(secret),
    admit({ showingId }) {
      hide(showingId);
      return secrets.admit(showingId);
    },
    leave: ({ showingId }) => hide(showingId),
  };
}
