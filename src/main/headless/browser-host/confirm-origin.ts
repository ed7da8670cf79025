import type { IncomingMessage } from 'node:http';
import type { Clock, Ids } from '#core/public.ts';
import { AppError, type InputSchema } from '#shared/errors/index.ts';
import {
  type ConfirmationPort,
  type Confirmer,
  decisionSchema,
  pictureAskSchema,
  type Seen,
  seenSchema,
  targetsAskSchema,
  type Showing,
  ticketSchema,
  turnSchema,
} from '#shared/host-api/index.ts';
import { answerJson, readInput, type Route, secretOf } from './router.ts';
import { addressWith, createSecrets, createTickets } from './app-origin.ts';

export interface ConfirmOriginParts {
  controller: ShowingController;
  confirmation: ConfirmationPort;
  pages: Route;
}

/**
 * The routes of the confirmation's origin: its page, and with the secret of one showing the few things that a page may
 * do with that showing. The app's pages are another origin, which the listener's guard refuses here.
 */
export function confirmRoutes({ controller, confirmation, pages }: ConfirmOriginParts): Route[] {
  async function readFor<T extends { showingId: string }>(
    request: IncomingMessage,
    schema: InputSchema<T>,
  ): Promise<T> {
    const showingId = controller.opened(secretOf(request));
    const input = await readInput(request, schema);
    if (input.showingId !== showingId) throw new AppError('showing_unknown');
    return input;
  }

  /** The request of a page about its showing; null if the showing ended before the page heard of it. */
  async function readUnlessEnded(request: IncomingMessage): Promise<Seen | null> {
    const secret = secretOf(request);
    if (controller.ended(secret) === null) controller.opened(secret);
    const input = await readInput(request, seenSchema);
    const endedId = controller.ended(secret);
    if (input.showingId !== (endedId ?? controller.opened(secret))) throw new AppError('showing_unknown');
    return endedId === null ? input : null;
  }

  /** A request after which another showing has the place of this one, with a secret of its own. */
  function replacing(path: string, replace: (seen: Seen) => Promise<Showing>): Route {
    return {
      method: 'POST',
      path,
      async answer(request, response) {
        const seen = await readFor(request, seenSchema);
        const showing = await replace(seen);
        controller.leave(seen);
        answerJson(response, { output: { showing, secret: controller.admit(showing) } });
      },
    };
  }

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
      path: '/confirmation/look',
      async answer(request, response) {
        const seen = await readUnlessEnded(request);
        answerJson(response, { output: seen && confirmation.look(seen) });
      },
    },
    {
      method: 'POST',
      path: '/confirmation/seen',
      async answer(request, response) {
        const seen = await readUnlessEnded(request);
        if (seen !== null) confirmation.seen(seen);
        answerJson(response, { output: null });
      },
    },
    {
      method: 'POST',
      path: '/confirmation/picture',
      async answer(request, response) {
        const output = await confirmation.picture(await readFor(request, pictureAskSchema));
        answerJson(response, { output });
      },
    },
    {
      method: 'POST',
      path: '/confirmation/targets',
      async answer(request, response) {
        const output = confirmation.targets(await readFor(request, targetsAskSchema));
        answerJson(response, { output });
      },
    },
    replacing('/confirmation/prepare-again', (seen) => confirmation.prepareAgain(seen)),
    replacing('/confirmation/undo', (seen) => confirmation.undo(seen)),
    {
      method: 'POST',
      path: '/confirmation/decide',
      async answer(request, response) {
        const decision = await readFor(request, decisionSchema);
        const result = await confirmation.decide(decision);
        // The secret of a decided showing opens nothing but its undo, and the turn to the next one of its review.
        const goesOn = result.review !== undefined || result.proposal.undo?.canUndo === true;
        const open = result.again ?? (goesOn ? decision : null);
        answerJson(response, { output: { result, secret: open && controller.admit(open) } });
      },
    },
    {
      method: 'POST',
      path: '/confirmation/turn',
      async answer(request, response) {
        const turn = await readFor(request, turnSchema);
        const turned = await confirmation.turn(turn);
        controller.leave(turn);
        answerJson(response, { output: { turned, secret: controller.admit(turned.showing ?? turn) } });
      },
    },
    pages,
  ];
}

/** Identifies a showing to the core. It is never part of an address. */
type ShowingKey = Pick<Showing, 'showingId' | 'nonce'>;

/** The browser host's confirmer: each showing gets a ticket of its own, and its page a secret that opens nothing else. */
export interface ShowingController {
  confirmer: Confirmer;
  /** Where the confirmation pages are. Called once, before the first showing. */
  servedAt(origin: string): void;
  /** Exchanges a ticket, once. Fails with `not_signed_in`. */
  enter(ticket: string): { key: ShowingKey; secret: string };
  /** The id of the one showing that a secret opens. Fails with `not_signed_in`. */
  opened(secret: string | undefined): string;
  /** The id of the ended showing that a secret opened; null for any other secret. */
  ended(secret: string | undefined): string | null;
  /** A secret for the showing that the same page goes on with. */
  admit(showing: Pick<Showing, 'showingId'>): string;
  /** Ends the secrets of a showing that its page has left. */
  leave(showing: Pick<Showing, 'showingId'>): void;
}

/** Time limit for the confirmation page to open, in milliseconds. */
const showingTicketLifeMs = 2 * 60 * 1000;

/** The showings of one core, with tickets and secrets of their own. */
export function createShowingController({ ids, clock }: { ids: Ids; clock: Clock }): ShowingController {
  const tickets = createTickets<ShowingKey>({ ids, clock, lifeMs: showingTicketLifeMs });
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
