import type { Clock } from '#core/platform/clock.ts';
import type { Ids } from '#core/platform/ids.ts';
import { AppError } from '#shared/errors/index.ts';
import { createKeyring } from './keyring.ts';

/** One-time tickets: each stands for a value, is redeemed at most once, and expires. */
export interface Tickets<T> {
  issue(value: T): string;
  /** The value that the ticket stood for; the ticket is gone. Fails with `not_signed_in`. */
  redeem(ticket: string): T;
  /** Takes back every ticket whose value matches. */
  revoke(matches: (value: T) => boolean): void;
}

export interface TicketOptions {
  ids: Ids;
  clock: Clock;
  /** How long a ticket waits for its first use, in milliseconds. */
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
