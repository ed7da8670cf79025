import type { Confirmer, Showing } from '#shared/host-api/index.ts';
import { addressWith } from './address.ts';
import type { Secrets } from './session/secrets.ts';
import type { Tickets } from './session/tickets.ts';

/** What identifies a showing to the core. It never stands in an address. */
export type ShowingKey = Pick<Showing, 'showingId' | 'nonce'>;

/** The browser host's confirmer: each showing gets a ticket of its own, and its page a secret that opens nothing else. */
export interface ShowingDesk {
  confirmer: Confirmer;
  /** Where the confirmation pages are. Called once, before the first showing. */
  servedAt(origin: string): void;
  /** Exchanges a ticket, once. Fails with `not_signed_in`. */
  enter(ticket: string): { key: ShowingKey; secret: string };
  /** The id of the one showing that a secret opens. Fails with `not_signed_in`. */
  opened(secret: string | undefined): string;
  /** A secret for the showing that follows a decision on the same page. */
  admit(showing: Showing): string;
}

export function createShowingDesk(parts: {
  tickets: Tickets<ShowingKey>;
  secrets: Secrets<string>;
}): ShowingDesk {
  const { tickets, secrets } = parts;
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
    admit({ showingId }) {
      hide(showingId);
      return secrets.admit(showingId);
    },
  };
}
