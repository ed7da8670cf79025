import { entryBy, type Ledger } from '#core/ledger/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import { createTokenFinder, credentialInside, textsOf } from '#core/platform/credentials.ts';
import { earliestIdAt } from '#core/platform/ids.ts';
import type { LimitClock } from '#core/platform/limit-clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { everyRow } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { shapeIn } from '#shared/lib/credential-shapes.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { isJsonObject, jsonOrNull, type JsonValue } from '#shared/lib/json/json-value.ts';
import { ownWords, quotedUpTo, sentence } from '#shared/lib/sentence.ts';
import type { Describe, PreparedWrite, Proposer, ProposalWords } from '../operations/operation.ts';

export interface Guarded {
  proposer: Proposer;
  draft: Pick<PreparedWrite, 'operation' | 'targets' | 'payload' | 'rebase'>;
  words: ProposalWords;
}

/** Limits on what an agent may propose and what is sent for it. The guard only refuses. */
export interface AgentGuard {
  /** Fails with `agents_frozen`, with `agent_unknown`, or with `guardrail`, naming the rule and the limit that would pass. */
  assertAllowed(asked: Guarded): void;
  /**
   * Repeats the checks before an approved change is sent, without the limits on pace. An admission passes
   * unless agents are frozen. `approvedAtMs` is by the monotonic clock. Fails as `assertAllowed` does.
   */
  assertMaySend(asked: Guarded & { approvedAtMs: number }): void;
}

export class RefusedChange extends AppError {
  readonly asked: { title: string; cids: readonly number[] };

  constructor(refusal: AppError, asked: RefusedChange['asked']) {
    const { code, message, fields, data } = refusal;
    super(code, { message, fields, data, cause: refusal });
    this.asked = asked;
  }
}

interface AgentLimitsOptions {
  guard: AgentGuard;
  store: Pick<AppStore, 'oauth'>;
  describe: Describe;
  clock: Pick<Clock, 'nowMs'>;
}

export type AgentLimits = ReturnType<typeof createAgentLimits>;

/** Changes by a person or a schedule always pass. */
export function createAgentLimits({ guard, store, describe, clock }: AgentLimitsOptions) {
  /** Refuses valid tokens of agents anywhere in the change, and new values that look like credentials. */
  function refuseCredentials({ payload, base }: PreparedWrite, { title, changes }: ProposalWords): void {
    const findToken = createTokenFinder(store.oauth, clock);
    const anew = changes.flatMap(({ after, added }) => [after, ...added]);
    const found = findToken([payload, base, title, ...anew]) ?? shapeIn(textsOf(anew));
    if (found !== null) throw credentialInside('payload', found);
  }

  return {
    /** Fails with `dlp_denied` for a credential in the change, or with a {@link RefusedChange}. */
    assertMayPropose(draft: PreparedWrite, proposer: Proposer): void {
      const { profile, proposedBy } = proposer;
      if (proposedBy.agentId === null) return;
      const words = describe({ ...draft, profile, proposedBy, createdAtMs: clock.nowMs() });
      refuseCredentials(draft, words);
      try {
        guard.assertAllowed({ proposer, draft, words });
      } catch (failure) {
        if (!(failure instanceof AppError)) throw failure;
        throw new RefusedChange(failure, { title: words.title, cids: draft.targets });
      }
    },
    /** Fails as {@link AgentGuard.assertMaySend} does. */
    assertMaySend(proposal: StoredProposal, approvedAtMs: number): void {
      if (proposal.proposedBy.kind !== 'agent') return;
      const words = describe(proposal);
      guard.assertMaySend({ proposer: proposal, draft: proposal, words, approvedAtMs });
    },
  };
}

interface Bucket {
  size: number;
  refillMs: number;
}

const minuteMs = 60_000;

/** Attempts of one agent: twice its maximum share of waiting changes, then 288 a day. */
export const changeBudget: Bucket = { size: 120, refillMs: 5 * minuteMs };

/** Requests for admission by all programs together, because a program has no identity before it is admitted. */
export const admissionBudget: Bucket = { size: 24, refillMs: 10 * minuteMs };
const historyMs = 7 * 24 * 60 * minuteMs;
const rowEveryMs = 24 * 60 * minuteMs;

/** Milliseconds until the bucket has room for one more attempt. `spentAtMs` ascends. */
export function waitMsOf({ size, refillMs }: Bucket, spentAtMs: readonly number[], nowMs: number): number {
  const refilled = (level: number, fromMs: number, untilMs: number): number =>
    Math.max(0, level - Math.max(0, untilMs - fromMs) / refillMs);
  let level = 0;
  let lastMs = 0;
  for (const atMs of spentAtMs) {
    level = refilled(level, lastMs, atMs) + 1;
    lastMs = atMs;
  }
  return Math.max(0, Math.ceil((refilled(level, lastMs, nowMs) + 1 - size) * refillMs));
}

export type AttemptBudget = ReturnType<typeof createAttemptBudget>;

interface AttemptBudgetOptions {
  store: Pick<AppStore, 'proposals' | 'ledger' | 'transaction'>;
  ledger: Pick<Ledger, 'append'>;
  clock: Pick<Clock, 'nowMs'>;
  limitClock: Pick<LimitClock, 'timesOfDay'>;
  logger: Logger;
  formats(): Formats;
}

/** Limits attempts that end without a decision: each costs two permanent ledger rows and opens a window. */
export function createAttemptBudget(
  { store, ledger, clock, limitClock, logger, formats }: AttemptBudgetOptions,
  bucket: Bucket,
) {
  function isOnRecord(agentId: string | null): boolean {
    const filter = { ...everyRow, about: 'agent', agentId, fromMs: clock.nowMs() - rowEveryMs };
    return store.ledger
      .page({ beforeSeq: null, limit: 200, filter })
      .rows.some(({ kind, body }) => kind === limited && agentIn(body) === agentId);
  }

  function record(
    { profile, proposedBy: { agentId, name } }: Pick<Proposer, 'profile' | 'proposedBy'>,
    attempts: Record<string, number>,
  ): void {
    const count = Object.values(attempts).reduce((sum, one) => sum + one, 0);
    const subject = agentId === null ? ownWords('Requests for access') : quotedUpTo(name, 300);
    store.transaction(() =>
      ledger.append(
        entryBy('Countersign', {
          kind: limited,
          summary: sentence`Limited: ${subject}, after ${ownWords(formats().counted(count, 'attempt'))} without a decision`,
          body: { agent: agentId, profile: profile.id, attempts },
        }),
      ),
    );
  }

  /** Fails with `attempts_spent`; its message includes the time to wait. */
  return function assertAttemptLeft(proposer: Pick<Proposer, 'profile' | 'proposedBy'>): void {
    const { agentId } = proposer.proposedBy;
    const nowMs = clock.nowMs();
    const spent = store.proposals.spentAttempts(agentId, earliestIdAt(nowMs - historyMs));
    const spentAtMs = spent.map(({ atMs }) => atMs);
    // Setting the clock refills nothing, because every time of day that the clock may mean must allow the attempt.
    const waitMs = Math.max(...limitClock.timesOfDay().map((atMs) => waitMsOf(bucket, spentAtMs, atMs)));
    if (waitMs === 0) return;
    try {
      if (!isOnRecord(agentId)) record(proposer, countByState(spent));
    } catch (failure) {
      if (!(failure instanceof AppError)) throw failure;
      logger.error({ failure }, 'A spent budget of attempts could not be recorded');
    }
    throw new AppError('attempts_spent', {
      message: sentence`Too many attempts ended without a decision. The next one is possible in ${ownWords(formats().counted(Math.ceil(waitMs / minuteMs), 'minute'))}.`,
      data: { retryAfterSeconds: Math.ceil(waitMs / 1000) },
    });
  };
}

const limited = 'agent.limited';

function agentIn(body: string): JsonValue | undefined {
  const value = jsonOrNull(body);
  return isJsonObject(value) ? value['agent'] : undefined;
}

function countByState(spent: readonly { state: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { state } of spent) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}
