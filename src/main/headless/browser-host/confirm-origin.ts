import { callHandler, type OutputOf, requestNamed } from '#shared/app-api/index.ts';
import type { Clock, Ids } from '#core/public.ts';
import { AppError } from '#shared/errors/index.ts';
import {
  type ConfirmationPort,
  type Confirmer,
  type Seen,
  displayApi,
  type Display,
  ticketSchema,
} from '#shared/host-api/index.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import { answerJson, readInput, type Route, secretOf } from './router.ts';
import { addressWith, createSecrets, createTickets } from './app-origin.ts';

export interface ConfirmOriginParts {
  controller: DisplayController;
  confirmation: ConfirmationPort;
  pages: Route;
}

const confirmationPath = '/confirmation/';

/** Requests that the page repeats by timer, and which may therefore cross the end of their display. */
const repeated: ReadonlySet<keyof DisplayApi> = new Set(['look', 'seen', 'progress']);

export function confirmRoutes({ controller, confirmation, pages }: ConfirmOriginParts): Route[] {
  return [
    {
      method: 'POST',
      path: '/session',
      async answer(request, response) {
        const { ticket } = await readInput(request, ticketSchema);
        const { key, secret } = controller.enter(ticket);
        const display = confirmation.look(key);
        const isOver = controller.ended(secret) !== null;
        answerJson(response, { secret: isOver ? controller.admit(display) : secret, display });
      },
    },
    {
      method: 'POST',
      path: confirmationPath,
      async answer(request, response, path) {
        const name = requestNamed(displayApi, path.slice(confirmationPath.length));
        const secret = secretOf(request);
        const mayHaveEnded = repeated.has(name);
        if (!mayHaveEnded || controller.ended(secret) === null) controller.opened(secret);
        const input = await readInput<Seen>(request, displayApi[name].input);
        const endedId = mayHaveEnded ? controller.ended(secret) : null;
        if (input.displayId !== (endedId ?? controller.opened(secret))) throw new AppError('display_unknown');
        if (endedId !== null)
          return answerJson(response, afterEnd({ controller, confirmation }, name, input));
        const output = await callHandler(confirmation, name, input);
        // A change past its time ends when it is read.
        if (name === 'look' && controller.ended(secret) !== null)
          return answerJson(response, afterEnd({ controller, confirmation }, name, input));
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

/**
 * The display ended before its page was notified. The page sees how its change ended, and gets a secret that opens nothing
 * but the next step of its review. Answering normally avoids an error in the browser's console.
 */
function afterEnd({ controller, confirmation }: EndParts, name: keyof DisplayApi, seen: Seen) {
  const ended = name === 'look' ? endedDisplay(confirmation, seen) : null;
  if (ended?.review === undefined) return { output: ended };
  return { output: ended, session: { ...keyOf(ended), secret: controller.admit(ended) } };
}

function endedDisplay(confirmation: ConfirmationPort, seen: Seen): Display | null {
  try {
    const display = confirmation.look(seen);
    return isUndecided(display.proposal.state) ? null : display;
  } catch (failure) {
    if (!(failure instanceof AppError) || failure.code !== 'display_unknown') throw failure;
    return null;
  }
}

type EndParts = Pick<ConfirmOriginParts, 'controller' | 'confirmation'>;

type DisplayApi = typeof displayApi;

const goesOn: { [R in keyof DisplayApi]?: (asked: Seen, output: OutputOf<DisplayApi, R>) => Seen | null } = {
  prepareAgain: (_asked, display) => display,
  undo: (_asked, display) => display,
  step: (asked, { display }) => display ?? asked,
  // After a decision without a next display, the secret opens only the undo, the progress and the next display of the review.
  decide: (asked, { again, next, review, proposal }) =>
    again ?? next?.display ?? (review !== undefined || proposal.undo?.canUndo === true ? asked : null),
};

const keyOf = ({ displayId, nonce }: Seen): Seen => ({ displayId, nonce });

export interface DisplayController {
  confirmer: Confirmer;
  servedAt(origin: string): void;
  enter(ticket: string): { key: Seen; secret: string };
  /** Returns the id of the only display that the secret opens. Fails with `not_signed_in`. */
  opened(secret: string | undefined): string;
  ended(secret: string | undefined): string | null;
  admit(display: Pick<Display, 'displayId'>): string;
  leave(display: Pick<Display, 'displayId'>): void;
}

const displayTicketLifeMs = 2 * 60 * 1000;

export function createDisplayController({ ids, clock }: { ids: Ids; clock: Clock }): DisplayController {
  const tickets = createTickets<Seen>({ ids, clock, lifeMs: displayTicketLifeMs });
  const secrets = createSecrets<string>(ids);
  let origin: string | null = null;

  function hide(displayId: string): void {
    tickets.revoke((key) => key.displayId === displayId);
    secrets.revoke((id) => id === displayId);
  }

  return {
    confirmer: {
      via: 'browser',
      async show({ displayId, nonce }) {
        if (origin === null) throw new Error('A display before the confirmation pages are served');
        return { address: addressWith(origin, tickets.issue({ displayId, nonce })) };
      },
      hide,
    },
    servedAt(confirmOrigin) {
      origin = confirmOrigin;
    },
    enter(ticket) {
      const key = tickets.redeem(ticket);
      return { key, secret: secrets.admit(key.displayId) };
    },
    opened: (secret) => secrets.check(secret),
    ended: (secret) => secrets.revoked(secret),
    admit({ displayId }) {
      hide(displayId);
      return secrets.admit(displayId);
    },
    leave: ({ displayId }) => hide(displayId),
  };
}
