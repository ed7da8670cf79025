import type { ServiceAddresses } from '#shared/app-api/index.ts';
import type { Account } from './account.ts';
import type { MemberReads, OpenReads, PublisherReads } from './ask.ts';
import type { CheckNeed } from './outcome.ts';
import type { RemoteReads } from './remote-session.ts';
import type { Formats } from '#shared/lib/formats.ts';

/** Facts about the service that cannot be asked for by the contract. */
export interface KnownFacts {
  /** A traffic source that the publisher key may read. */
  tid?: number;
  /** A campaign of another account. */
  foreignCid?: number;
}

/** The parts that a check may use. None of them can write. */
export interface CheckContext {
  addresses: ServiceAddresses;
  known: KnownFacts;
  nowMs(): number;
  /** Paths whose answers were read so far, and whether one of them was JSON behind a byte order mark. */
  answered: ReadonlyMap<string, boolean>;
  open: OpenReads;
  member: MemberReads;
  publisher: PublisherReads;
  remote: RemoteReads;
  account: Account;
  /** The result of this function, made once in a run, a failure included. */
  once<T>(make: (context: CheckContext, formats: Formats) => Promise<T>): Promise<T>;
  /** For those checks that show one where it must not count; null if there is none. */
  credentials: { memberToken: string | null; publisherKey: string | null };
}

/** One statement of the contract, tested against the service. */
export interface ContractCheck {
  /** Stable; begins with its area. */
  id: string;
  /** The place in the contract. */
  clause: string;
  /** A sentence about the service that holds. */
  title: string;
  /** Without one of them the check is skipped. */
  needs: readonly CheckNeed[];
  /** Passes, or throws `Drift` or `NotChecked`. */
  run(context: CheckContext, formats: Formats): Promise<void>;
}

/** A cid that no service has given out so far, and that fits into 32 bits. */
export const absentCid = 2_147_483_647;

/** The same for a traffic source. */
export const absentTid = 2_147_483_647;
