import type { ServiceAddresses } from '#shared/app-api/index.ts';
import type { Account } from './account.ts';
import type { MemberReads, MemberWrites, OpenReads, PublisherReads } from './doors.ts';
import type { CheckNeed } from './outcome.ts';
import type { RemoteReads, RemoteWrites } from './remote-session.ts';

/** What somebody knows of the service that the contract gives no way to ask for. */
export interface KnownFacts {
  /** A traffic source that the publisher key may read. */
  tid?: number;
  /** A campaign of somebody else. */
  foreignCid?: number;
}

/** What a check that reads may use. Nothing in it can write. */
export interface ReadContext {
  addresses: ServiceAddresses;
  known: KnownFacts;
  nowMs(): number;
  open: OpenReads;
  member: MemberReads;
  publisher: PublisherReads;
  remote: RemoteReads;
  account: Account;
  /** What this function gives, asked for once in a run, a failure included. */
  once<T>(make: (context: ReadContext) => Promise<T>): Promise<T>;
  /** For those checks that show one where it must not count; null where there is none. */
  credentials: { memberToken: string | null; publisherKey: string | null };
}

/** What a check that writes may use. */
export interface WriteContext extends ReadContext {
  member: MemberWrites;
  remote: RemoteWrites;
}

interface CheckFacts {
  /** Stable; begins with its area. */
  id: string;
  /** Where the contract says so. */
  clause: string;
  /** A sentence about the service that holds. */
  title: string;
  /** Without one of them the check is skipped. */
  needs: readonly CheckNeed[];
}

/** Passes, or throws `Drift` or `NotChecked`. */
export interface ReadCheck extends CheckFacts {
  writes: false;
  run(context: ReadContext): Promise<void>;
}

export interface WriteCheck extends CheckFacts {
  writes: true;
  run(context: WriteContext): Promise<void>;
}

/** One statement of the contract held against the service. */
export type ContractCheck = ReadCheck | WriteCheck;

type WithoutWrites<T> = Omit<T, 'writes'>;

export const reads = (checks: readonly WithoutWrites<ReadCheck>[]): ContractCheck[] =>
  checks.map((check) => ({ ...check, writes: false }));

export const writes = (checks: readonly WithoutWrites<WriteCheck>[]): ContractCheck[] =>
  checks.map((check) => ({ ...check, writes: true }));
