import type { Agents, Freeze } from '#core/agents/index.ts';
import type {
  AuthorizationRequest,
  InteractionExchange,
  InteractionStrategy,
} from '#core/oauth-server/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { Profiles } from '#core/profiles/index.ts';
import type { Gate } from '#core/proposals/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import { messagePage, waitingPage } from '../pages/pages.ts';
import { pageHeaders, sendWaitingPage } from '../pages/send-page.ts';
import { admissionOf, fates, isTooLate, lastMoment, type Guest } from './guest.ts';
import { crowdedMessage, endMessage, frozenMessage, type Message } from './waiting-words.ts';

/** So many may wait for a person at once. */
const mostWaiting = 5;

/** So many may have asked, within the time below, without that a person decided: one that asks anew and anew is no way around. */
const mostUnanswered = 12;
const unansweredForMs = 10 * 60_000;

export interface WaitingRoomOptions {
  gate: Pick<Gate, 'proposeAdmission' | 'takeBackAdmission' | 'get'>;
  agents: Pick<Agents, 'living' | 'end'>;
  freeze: Pick<Freeze, 'sinceMs'>;
  profiles: Pick<Profiles, 'current'>;
  clock: Clock;
  ids: Ids;
  logger: Logger;
}

/** What the browser gets. */
type Answer =
  | { kind: 'waits'; guest: Guest }
  | { kind: 'message'; message: Message }
  | { kind: 'enters'; guest: Guest }
  | { kind: 'leaves' };

/** The app's own window answers for the person; the browser only waits (docs/architecture.md, "The gateway"). */
export interface WaitingRoom extends InteractionStrategy {
  /** Nobody can come back any more: what still waits is taken back. */
  close(): void;
}

/**
 * The first look of a browser asks the person; later ones look what became of it. In memory: interactions end with the
 * process, and so do their guests.
 */
export function createWaitingRoom(options: WaitingRoomOptions): WaitingRoom {
  const { gate, agents, freeze, profiles, clock, ids, logger } = options;
  /** By the id of the interaction. */
  const guests = new Map<string, Guest>();

  const stateOf = ({ proposalId }: Guest) => gate.get(proposalId).state;
  const waits = (guest: Guest): boolean => fates[stateOf(guest)] === 'waits';
  const isFrozen = (): boolean => freeze.sinceMs() !== null;

  /** Who cannot come back is forgotten; who was let in and never came has no grant and is ended. */
  function sweep(): void {
    for (const [id, guest] of guests) {
      if (guest.expiresAtMs > clock.nowMs()) continue;
      guests.delete(id);
      const { agentId } = guest.admission;
      if (agents.living(agentId)?.grantId === null) agents.end(agentId, 'signed-out');
    }
  }

  /** A client that asks anew waits once: the browser before it is told so. */
  function replaceEarlier({ clientId }: AuthorizationRequest): void {
    for (const guest of guests.values()) {
      if (guest.admission.clientId === clientId && waits(guest)) gate.takeBackAdmission(guest.proposalId);
    }
  }

  function isCrowded(): boolean {
    const all = [...guests.values()];
    const unanswered = all.filter((guest) => {
      const isRecent = clock.nowMs() - guest.askedAtMs < unansweredForMs;
      return isRecent && !answered.has(stateOf(guest));
    });
    return all.filter(waits).length >= mostWaiting || unanswered.length >= mostUnanswered;
  }

  function ask(asked: AuthorizationRequest): Answer {
    if (isTooLate(asked, clock)) throw new AppError('oauth_interaction_unknown');
    sweep();
    if (isFrozen()) return { kind: 'message', message: frozenMessage };
    replaceEarlier(asked);
    if (isCrowded()) return { kind: 'message', message: crowdedMessage };
    const admission = admissionOf(asked, ids);
    const { id: proposalId } = gate.proposeAdmission(admission, {
      profileId: profiles.current().id,
      endsAtMs: lastMoment(asked),
    });
    const { expiresAtMs } = asked;
    const guest = { admission, proposalId, askedAtMs: clock.nowMs(), expiresAtMs, isTold: false };
    guests.set(asked.id, guest);
    return { kind: 'waits', guest };
  }

  function look(id: string, guest: Guest): Answer {
    const proposal = gate.get(guest.proposalId);
    const fate = fates[proposal.state];
    if (fate === 'enters') return { kind: 'enters', guest };
    if (fate === 'waits') {
      if (!isFrozen()) return { kind: 'waits', guest };
      gate.takeBackAdmission(guest.proposalId);
      guests.delete(id);
      return { kind: 'message', message: frozenMessage };
    }
    if (guest.isTold) return { kind: 'leaves' };
    guest.isTold = true;
    return { kind: 'message', message: endMessage(proposal) };
  }

  function answerTo(asked: AuthorizationRequest): Answer {
    const guest = guests.get(asked.id);
    if (guest !== undefined) return look(asked.id, guest);
    try {
      return ask(asked);
    } catch (failure) {
      if (!(failure instanceof AppError) || failure.code !== 'too_many_waiting') throw failure;
      return { kind: 'message', message: crowdedMessage };
    }
  }

  async function carryOut(answer: Answer, asked: AuthorizationRequest, exchange: InteractionExchange) {
    const { response, finish } = exchange;
    switch (answer.kind) {
      case 'waits':
        return sendWaitingPage(response, waitingPage(answer.guest.admission));
      case 'message':
        return sendWaitingPage(response, messagePage(answer.message));
      case 'enters': {
        const { agentId, scopes } = answer.guest.admission;
        guests.delete(asked.id);
        return finish({ kind: 'granted', subject: agentId, scopes });
      }
      case 'leaves':
        return finish({ kind: 'denied' });
      default:
        return assertNever(answer);
    }
  }

  return {
    async handle(asked, exchange) {
      const { request, response, subpath } = exchange;
      if (subpath !== '') throw new AppError('not_found');
      if (request.method !== 'GET') {
        response.setHeader('allow', 'GET');
        throw new AppError('method_not_allowed');
      }
      await carryOut(answerTo(asked), asked, exchange);
    },
    refusalPage({ description }) {
      const text = `${description} Close this page and connect again from your program.`;
      return { body: messagePage({ title: 'Not connected', text }).text, headers: pageHeaders };
    },
    close() {
      for (const guest of guests.values()) {
        try {
          gate.takeBackAdmission(guest.proposalId);
        } catch (failure) {
          logger.error({ failure }, 'An admission could not be taken back');
        }
      }
      guests.clear();
    },
  };
}

/** The states that a person's decision leads to. */
const answered: ReadonlySet<string> = new Set([
  'approved',
  'intent',
  'sent',
  'unknown',
  'verified',
  'denied',
]);
