import type { Clock } from '#core/platform/clock.ts';
import { foreignWords, type RemoteAccess } from '#core/service-client/index.ts';
import type { ContractFinding, ServiceAddresses } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { redactText } from '#shared/lib/redact.ts';
import { createAccount, type Account } from './account.ts';
import {
  createAsk,
  createMemberReads,
  createOpenReads,
  createPublisherReads,
  type CheckNeed,
  credentialNames,
  CredentialRefused,
  Drift,
  Exhausted,
  NotChecked,
  type MemberReads,
  type OpenReads,
  type PublisherReads,
} from './ask.ts';
import { createRemoteSession, type RemoteReads } from './remote-session.ts';
import type { Formats } from '#shared/lib/formats.ts';

export interface ContractCheckOptions {
  addresses: ServiceAddresses;
  /** Null if there is none: what needs it is skipped. */
  memberToken: string | null;
  publisherKey: string | null;
  /** Opens the remote tools. */
  access: RemoteAccess | null;
  /** Facts that cannot be asked for; checks that need a missing one are skipped. */
  known?: KnownFacts;
  signal: AbortSignal;
  /** One request, from its first byte to the last one of its answer. */
  timeoutMs: number;
  clock: Clock;
  /** Called with every finding as it is made, in the order of the table. */
  onFinding?(finding: ContractFinding): void;
}

const maxRequests = 100;

/** Makes these checks, as `runContractCheck` says. */
export async function runChecks(
  checks: readonly ContractCheck[],
  options: ContractCheckOptions,
  formats: Formats,
): Promise<ContractFinding[]> {
  const { signal, onFinding } = options;
  const run = beginRun(options, formats);
  const findings: ContractFinding[] = [];
  for (const check of checks) {
    const finding = await run.judge(check);
    if (signal.aborted) break;
    findings.push(finding);
    onFinding?.(finding);
  }
  await run.end();
  return findings;
}

interface Run {
  judge(check: ContractCheck): Promise<ContractFinding>;
  end(): Promise<void>;
}

function beginRun(options: ContractCheckOptions, formats: Formats): Run {
  const { memberToken, publisherKey, access, signal } = options;
  const secrets = new Set([memberToken, publisherKey].flatMap((secret) => secret || []));
  const context = contextOf(options, (token) => void secrets.add(token), formats);
  const closed = new Map<CheckNeed, string>();
  const held = { member: memberToken, publisher: publisherKey, remote: access };
  for (const need of ['member', 'publisher', 'remote'] as const) {
    if (held[need] === null) closed.set(need, `There is no ${credentialNames[need]}.`);
  }
  let exhausted: string | null = null;
  const attempt = async (check: ContractCheck): Promise<Pick<ContractFinding, 'state' | 'text'>> => {
    const lacking = check.needs.map((need) => closed.get(need)).find((reason) => reason !== undefined);
    const reason = exhausted ?? lacking;
    if (reason !== undefined) return { state: 'skipped', text: reason };
    try {
      await check.run(context, formats);
    } catch (failure) {
      if (failure instanceof Exhausted) exhausted = failure.message;
      if (failure instanceof CredentialRefused) closed.set(failure.need, failure.message);
      return { state: failure instanceof Drift ? 'drifts' : 'skipped', text: reasonOf(failure, signal) };
    }
    return { state: 'holds', text: '' };
  };
  return {
    async judge(check) {
      const { state, text } = await attempt(check);
      const { id, clause, title } = check;
      return { id, clause, title, state, text: presentable(text, secrets) };
    },
    async end() {
      try {
        if (exhausted === null && !signal.aborted) await context.remote.end();
      } catch (failure) {
        // The service ends unused sessions by itself.
        reasonOf(failure, signal);
      }
    },
  };
}

function contextOf(
  options: ContractCheckOptions,
  onToken: (token: string) => void,
  formats: Formats,
): CheckContext {
  const { addresses, memberToken, publisherKey, access, signal, timeoutMs, clock } = options;
  const answered = new Map<string, boolean>();
  const onText = (path: string, hasMark: boolean): void =>
    void answered.set(path, hasMark || answered.get(path) === true);
  const ask = createAsk({ signal, timeoutMs, maxRequests, onText });
  const member = createMemberReads(ask, addresses, memberToken);
  const made = new Map<unknown, Promise<unknown>>();
  const context: CheckContext = {
    addresses,
    known: options.known ?? {},
    nowMs: () => clock.nowMs(),
    answered,
    open: createOpenReads(ask),
    member,
    publisher: createPublisherReads(ask, addresses, publisherKey),
    remote: createRemoteSession({ ask, mcpUrl: addresses.mcpUrl, access, onToken, formats }),
    account: createAccount(member, formats),
    credentials: { memberToken, publisherKey },
    once<T>(make: (context: CheckContext, formats: Formats) => Promise<T>): Promise<T> {
      const found = made.get(make) ?? make(context, formats);
      made.set(make, found);
      return found as Promise<T>;
    },
  };
  return context;
}

/** Returns the reason why a check failed; throws a bug of ours. */
function reasonOf(failure: unknown, signal: AbortSignal): string {
  if (failure instanceof Drift || failure instanceof NotChecked || failure instanceof AppError) {
    return failure.message;
  }
  if (signal.aborted) return 'The examination was stopped.';
  throw failure;
}

/** Without any credential, in whatever way the service gave it back; inert and cut. */
function presentable(text: string, secrets: ReadonlySet<string>): string {
  let clean = text;
  for (const secret of secrets) clean = clean.replaceAll(secret, '[redacted]');
  return foreignWords(redactText(clean));
}

/** Facts about the service that cannot be asked for by the contract. */
interface KnownFacts {
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
