import type { Clock } from '#core/platform/clock.ts';
import type { RemoteAccess } from '#core/service-client/index.ts';
import type { ContractFinding, ServiceAddresses } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { redactText } from '#shared/lib/redact.ts';
import { ownWords, type Sentence, sentence } from '#shared/lib/sentence.ts';
import { createAccount } from './account.ts';
import { createAsk, createMemberReads, createOpenReads, createPublisherReads } from './ask.ts';
import {
  type CheckContext,
  type CheckNeed,
  type ContractCheck,
  Drift,
  type KnownFacts,
  NotChecked,
} from './check.ts';
import { credentialNames } from './expect.ts';
import { createRemoteSession } from './remote-session.ts';

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

/**
 * Holds a service against the contract by these checks, one request after the other, and gives a finding for every check. Never fails
 * because of the service; an abort ends it with the findings made so far. A service that answers 429 is left alone: what
 * comes after is skipped.
 */
export async function runChecks(
  checks: readonly ContractCheck[],
  options: ContractCheckOptions,
  formats: Formats,
): Promise<ContractFinding[]> {
  const { memberToken, publisherKey, access, signal, onFinding } = options;
  const secrets = new Set([memberToken, publisherKey].flatMap((secret) => secret || []));
  const conceal = (text: string): string =>
    redactText([...secrets].reduce((clean, secret) => clean.replaceAll(secret, '[redacted]'), text));
  const context = contextOf(options, (token) => void secrets.add(token), formats);
  const closed = new Map<CheckNeed | 'all', Sentence>();
  const held = { member: memberToken, publisher: publisherKey, remote: access };
  for (const need of ['member', 'publisher', 'remote'] as const) {
    if (held[need] === null) closed.set(need, sentence`There is no ${credentialNames[need]}.`);
  }

  async function judge({ needs, run }: ContractCheck): Promise<Pick<ContractFinding, 'state' | 'text'>> {
    const reason = (['all', ...needs] as const)
      .map((need) => closed.get(need))
      .find((one) => one !== undefined);
    if (reason !== undefined) return { state: 'skipped', text: reason };
    try {
      await run(context);
      return { state: 'holds', text: sentence`` };
    } catch (failure) {
      const text = reasonOf(failure, { signal, conceal });
      if (failure instanceof NotChecked && failure.closes !== null) closed.set(failure.closes, text);
      return { state: failure instanceof Drift ? 'drifts' : 'skipped', text };
    }
  }

  const findings: ContractFinding[] = [];
  for (const check of checks) {
    const { id, clause, title } = check;
    const finding = { id, clause, title: sentence`${ownWords(title)}`, ...(await judge(check)) };
    if (signal.aborted) break;
    findings.push(finding);
    onFinding?.(finding);
  }
  try {
    if (!closed.has('all') && !signal.aborted) await context.remote.end();
  } catch (failure) {
    // The service ends unused sessions by itself.
    reasonOf(failure, { signal, conceal });
  }
  return findings;
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
    remote: createRemoteSession({ ask, mcpUrl: addresses.mcpUrl, access, onToken }),
    account: createAccount(member),
    credentials: { memberToken, publisherKey },
    formats,
    once<T>(make: (context: CheckContext) => Promise<T>): Promise<T> {
      const found = made.get(make) ?? make(context);
      made.set(make, found);
      return found as Promise<T>;
    },
  };
  return context;
}

/** Returns the reason why a check failed; throws a bug of ours. */
function reasonOf(
  failure: unknown,
  { signal, conceal }: { signal: AbortSignal; conceal(text: string): string },
): Sentence {
  if (failure instanceof Drift || failure instanceof NotChecked) return failure.toSentence(conceal);
  if (failure instanceof AppError) return sentence`${ownWords(conceal(failure.message))}`;
  if (signal.aborted) return sentence`The examination was stopped.`;
  throw failure;
}
