import type { Agents } from '#core/agents/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { Gate } from '#core/proposals/index.ts';
import type { ProposalState } from '#shared/app-api/index.ts';
import { fates, type Guest } from './pending-admission.ts';

/** So many may wait for a person at once. */
const mostWaiting = 5;

/** So many may have asked, within the time below, without that a person decided: one that asks anew and anew is no way around. */
const mostUnanswered = 12;
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

/** Who waits at the door, by interaction; in memory, since interactions end with the process. */
interface Guests {
  find(interactionId: string): Guest | null;
  add(interactionId: string, guest: Guest): void;
  forget(interactionId: string): void;
  /** Who cannot come back is forgotten; who was let in and never came has no grant and is ended. */
  sweep(): void;
  /** A client that asks anew waits once: the browser before it is told so. */
  takeBackEarlier(clientId: string): void;
  /** Nobody more may ask now. */
  isCrowded(): boolean;
  /** Nobody can come back any more: what still waits is taken back. */
  close(): void;
}

export interface GuestsOptions {
  gate: Pick<Gate, 'takeBackAdmission' | 'get'>;
  agents: Pick<Agents, 'living' | 'end'>;
  clock: Clock;
  logger: Logger;
}

export function createGuests({ gate, agents, clock, logger }: GuestsOptions): Guests {
  const guests = new Map<string, Guest>();
  const stateOf = ({ proposalId }: Guest): ProposalState => gate.get(proposalId).state;
  const waits = (guest: Guest): boolean => fates[stateOf(guest)] === 'waits';
  const isUnanswered = (guest: Guest): boolean =>
    clock.nowMs() - guest.askedAtMs < unansweredForMs && !answered.has(stateOf(guest));

  return {
    find: (id) => guests.get(id) ?? null,
    add: (id, guest) => void guests.set(id, guest),
    forget: (id) => void guests.delete(id),
    sweep() {
      for (const [id, guest] of guests) {
        if (guest.expiresAtMs > clock.nowMs()) continue;
        guests.delete(id);
        const { agentId } = guest.admission;
        if (agents.living(agentId)?.grantId === null) agents.end(agentId, 'signed-out');
      }
    },
    takeBackEarlier(clientId) {
      for (const guest of guests.values()) {
        if (guest.admission.clientId === clientId && waits(guest)) gate.takeBackAdmission(guest.proposalId);
      }
    },
    isCrowded() {
      const all = [...guests.values()];
      return all.filter(waits).length >= mostWaiting || all.filter(isUnanswered).length >= mostUnanswered;
    },
    close() {
      for (const { proposalId } of guests.values()) {
        try {
          gate.takeBackAdmission(proposalId);
        } catch (failure) {
          logger.error({ failure }, 'An admission could not be taken back');
        }
      }
      guests.clear();
    },
  };
}
