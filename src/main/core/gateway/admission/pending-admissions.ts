import type { Agents } from '#core/agents/index.ts';
import { type Clock, passedSince } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { Gate } from '#core/proposals/index.ts';
import type { ProposalState } from '#shared/app-api/index.ts';
import { fates, type PendingAdmission } from './pending-admission.ts';

/** Maximum number of requests that await a decision at once. */
const maxWaiting = 5;

/** Maximum number of undecided requests within the time below: repeating a request does not bypass the limit. */
const maxUnanswered = 12;
const unansweredForMs = 10 * 60_000;

/** The states that a person's decision leads to. */
const answered: ReadonlySet<ProposalState> = new Set([
  'approved',
  'intent',
  'sent',
  'unknown',
  'verified',
  'denied',
]);

/** Pending admissions by interaction; in memory, since interactions end with the process. */
interface PendingAdmissions {
  find(interactionId: string): PendingAdmission | null;
  add(interactionId: string, pending: PendingAdmission): void;
  forget(interactionId: string): void;
  /** Forgets those whose browser can no longer come back, and ends agents that were admitted and never claimed their grant. */
  sweep(): void;
  /** Withdraws the earlier request of a client that asks again: its earlier browser shows that. */
  withdrawEarlier(clientId: string): void;
  /** True if no further admission may be requested now. */
  isFull(): boolean;
  /** Withdraws all pending admissions, since no browser can come back any more. */
  close(): void;
}

interface PendingAdmissionsOptions {
  gate: Pick<Gate, 'takeBackAdmission' | 'get'>;
  agents: Pick<Agents, 'living' | 'end'>;
  clock: Clock;
  logger: Logger;
}

export function createPendingAdmissions({
  gate,
  agents,
  clock,
  logger,
}: PendingAdmissionsOptions): PendingAdmissions {
  const admissions = new Map<string, PendingAdmission>();
  const stateOf = ({ proposalId }: PendingAdmission): ProposalState => gate.get(proposalId).state;
  const waits = (pending: PendingAdmission): boolean => fates[stateOf(pending)] === 'pending';
  const isUnanswered = (pending: PendingAdmission): boolean =>
    clock.monotonicMs() - pending.askedAt.monotonicMs < unansweredForMs && !answered.has(stateOf(pending));

  return {
    find: (id) => admissions.get(id) ?? null,
    add: (id, pending) => void admissions.set(id, pending),
    forget: (id) => void admissions.delete(id),
    sweep() {
      for (const [id, pending] of admissions) {
        const lifetimeMs = pending.expiresAtMs - pending.askedAt.wallMs;
        if (passedSince(pending.askedAt, clock) < lifetimeMs) continue;
        admissions.delete(id);
        const { agentId } = pending.admission;
        if (agents.living(agentId)?.grantId === null) agents.end(agentId, 'signed-out');
      }
    },
    withdrawEarlier(clientId) {
      for (const pending of admissions.values()) {
        if (pending.admission.clientId === clientId && waits(pending))
          gate.takeBackAdmission(pending.proposalId);
      }
    },
    isFull() {
      const all = [...admissions.values()];
      return all.filter(waits).length >= maxWaiting || all.filter(isUnanswered).length >= maxUnanswered;
    },
    close() {
      for (const { proposalId } of admissions.values()) {
        try {
          gate.takeBackAdmission(proposalId);
        } catch (failure) {
          logger.error({ failure }, 'An admission could not be taken back');
        }
      }
      admissions.clear();
    },
  };
}
