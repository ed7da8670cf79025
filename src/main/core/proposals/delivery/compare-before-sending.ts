import { type Clock, type Moment, passedSince } from '#core/platform/clock.ts';
import type { LimitClock } from '#core/platform/limit-clock.ts';
import type { Profiles } from '#core/profiles/index.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { assertUntouched } from '../operations/fingerprint.ts';
import { assertSameAccount, isPastItsTime, type Operations, type Reread } from '../operations/operation.ts';
import type { AgentLimits } from '../proposing/agent-limits.ts';
import type { Approved, Attempt } from './approved-writes.ts';
import { loadProposal } from '../operations/stored-proposals.ts';
import { assertNotWithheld } from '../operations/locks.ts';
import { assertApprovalLives } from '../operations/tool-call/stored-parts.ts';

interface ComparisonOptions {
  store: AppStore;
  profiles: Pick<Profiles, 'get'>;
  limits: Pick<AgentLimits, 'assertMaySend'>;
  operations: Operations;
  overlaps: Overlaps;
  clock: Clock;
  limitClock: LimitClock;
  isEnding(): boolean;
}

export function createComparison(options: ComparisonOptions) {
  const { store, profiles, limits, operations, overlaps, clock, limitClock, isEnding } = options;

  function assertRunning(): void {
    if (isEnding()) throw new AppError('stopped_before_sending');
  }

  function assertSendable({ proposal, sent, compared }: Attempt, approved: Approved): void {
    const { fingerprint, turn, approvedAtMs } = approved;
    if (isPastItsTime(proposal, limitClock)) throw new AppError('not_sent_in_time');
    // The decision's age counts from the latest comparison (after a wait), else from its turn in a batch, else from the
    // approval (`updatedAtMs`).
    const approval = { wallMs: proposal.updatedAtMs, monotonicMs: approvedAtMs };
    assertFresh(compared ?? turn ?? approval, clock);
    assertUntouched({ ...proposal, fingerprint });
    assertApprovalLives(proposal, clock.nowMs());
    // Freezing or removing an agent also stops approved writes that have not been sent, such as the rest of a batch.
    limits.assertMaySend(proposal, approvedAtMs);
    // Fails with `profile_unknown` if the profile was deleted. The next read reports an unknown account.
    assertSameAccount(proposal, profiles.get(proposal.profile.id).account || null);
    // A write that was already sent holds the lock.
    if (sent === 0) assertNotWithheld(store, proposal);
  }

  return {
    /**
     * Checks that the write may be sent, and reads its campaign again. If nothing changed, repeats the checks on the proposal
     * that is stored now. Fails with `stopped_before_sending`, `not_sent_in_time`, `approval_ended`, `fingerprint_mismatch`,
     * `account_changed`, `profile_unknown` or `campaign_locked`, or as the agent's guard and the read do.
     */
    async compare(
      attempt: Attempt,
      approved: Approved,
    ): Promise<{ reread: Reread; proposal: StoredProposal }> {
      const { proposal } = attempt;
      for (;;) {
        assertRunning();
        assertSendable(attempt, approved);
        const { reread } = operations[proposal.operation];
        const { found, isOverlapped } = await overlaps.during(proposal, () => reread(proposal));
        if (isOverlapped) continue;
        if (found.kind !== 'unchanged') return { reread: found, proposal };
        const onDisk = loadProposal(store, approved.id);
        assertSendable({ ...attempt, proposal: onDisk }, approved);
        return { reread: found, proposal: onDisk };
      }
    },
    isWanted(proposal: StoredProposal, { approvedAtMs }: Approved): boolean {
      try {
        assertRunning();
        limits.assertMaySend(proposal, approvedAtMs);
        return true;
      } catch (failure) {
        if (failure instanceof AppError) return false;
        throw failure;
      }
    },
  };
}

/** How long a decision is valid: a machine that sleeps must not send hours later. In a batch, the time restarts with each member. */
export const decisionValidMs = 10 * 60_000;

function assertFresh(decided: Moment, clock: Clock): void {
  if (passedSince(decided, clock) < decisionValidMs) return;
  throw new AppError('not_sent_in_time', { message: decidedLongAgo });
}

const decidedLongAgo = 'It could not be sent within ten minutes of the decision. Nothing was sent.';

type WriteScope = Pick<StoredProposal, 'profile' | 'targets'>;

interface Reading {
  proposal: WriteScope;
  isOverlapped: boolean;
}

export type Overlaps = ReturnType<typeof createOverlaps>;

/**
 * Finds reads that overlap a write of this app. A write of the other channel (REST, tools) may start and end within a read
 * and leave no lock.
 */
export function createOverlaps() {
  const readings = new Set<Reading>();
  return {
    /** `isOverlapped`: another write touched the campaign during the read, so the campaign must be read again. */
    async during<T>(
      proposal: WriteScope,
      read: () => Promise<T>,
    ): Promise<{ found: T; isOverlapped: boolean }> {
      const reading = { proposal, isOverlapped: false };
      readings.add(reading);
      try {
        const found = await read();
        return { found, isOverlapped: reading.isOverlapped };
      } finally {
        readings.delete(reading);
      }
    },
    report(write: WriteScope): void {
      for (const reading of readings) if (touches(write, reading.proposal)) reading.isOverlapped = true;
    },
  };
}

/** True for a call that names no campaign, because it may touch any campaign of its profile. */
function touches(write: WriteScope, { profile, targets }: WriteScope): boolean {
  if (write.profile.id !== profile.id) return false;
  return write.targets.length === 0 || targets.some((cid) => write.targets.includes(cid));
}
