import { createHash } from 'node:crypto';
import { type Clock, type Ids, isSameSecret } from '#core/public.ts';
import { AppError } from '#shared/errors/index.ts';

/** Values behind secrets. Only hashes are kept, and a look-up takes the same time wherever a wrong secret differs. */
export interface Keyring<T> {
  add(secret: string, value: T): void;
  find(secret: string): T | null;
  values(): readonly T[];
  remove(matches: (value: T) => boolean): void;
}

const hash = (secret: string): string => createHash('sha256').update(secret).digest('hex');

function createKeyring<T>(): Keyring<T> {
  let entries: { hash: string; value: T }[] = [];
  return {
    add(secret, value) {
      entries.push({ hash: hash(secret), value });
    },
    find(secret) {
      const sought = hash(secret);
      let found: T | null = null;
      for (const entry of entries) if (isSameSecret(sought, entry.hash)) found = entry.value;
      return found;
    },
    values: () => entries.map(({ value }) => value),
    remove(matches) {
      entries = entries.filter(({ value }) => !matches(value));
    },
  };
}

/** Secrets of pages that have exchanged their ticket. They live in this process and die with it. */
export interface Secrets<T> {
  /** A new secret that opens the value until it is revoked. */
  admit(value: T): string;
  /** Returns the value behind the secret. Fails with `not_signed_in`. */
  check(secret: string | undefined): T;
  /** Returns the value that the secret opened before it was revoked, for the last few of them; null for any other secret. */
  revoked(secret: string | undefined): T | null;
  /** Ends every secret whose value matches. */
  revoke(matches: (value: T) => boolean): void;
}

/** Number of revoked secrets that are still known. */
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
  /** Lifetime of a ticket before its first use, in milliseconds. */
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

/** The address that a person opens. The ticket stands in the fragment, which no browser sends anywhere. */
export function addressWith(origin: string, ticket: string): string {
  return `${origin}/#ticket=${ticket}`;
}
