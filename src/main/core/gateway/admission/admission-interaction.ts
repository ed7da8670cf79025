import type { Freeze } from '#core/agents/index.ts';
import type {
  AuthorizationRequest,
  InteractionExchange,
  InteractionStrategy,
} from '#core/oauth-server/index.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { Profiles } from '#core/profiles/index.ts';
import type { Gate } from '#core/proposals/index.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import { messagePage, pageHeaders, sendWaitingPage, waitingPage } from './pages.ts';
import { admissionOf, fates, type Guest, isTooLate, lastMoment } from './pending-admission.ts';
import { createGuests, type GuestsOptions } from './pending-admissions.ts';

export interface WaitingRoomOptions extends GuestsOptions {
  gate: Pick<Gate, 'proposeAdmission' | 'takeBackAdmission' | 'get'>;
  freeze: Pick<Freeze, 'sinceMs'>;
  profiles: Pick<Profiles, 'current'>;
  ids: Ids;
}

/** What the browser gets. */
type Answer =
  | { kind: 'waits'; guest: Guest }
  | { kind: 'message'; message: Message }
  | { kind: 'enters'; guest: Guest }
  | { kind: 'leaves' };

/** The app's own window answers for the person; the browser only waits (docs/architecture.md, "Agents"). */
interface WaitingRoom extends InteractionStrategy {
  /** Nobody can come back any more: what still waits is taken back. */
  close(): void;
}

/** The first look of a browser asks the person; later ones look what became of it. */
export function createWaitingRoom(options: WaitingRoomOptions): WaitingRoom {
  const { gate, freeze, profiles, clock, ids } = options;
  const guests = createGuests(options);
  const isFrozen = (): boolean => freeze.sinceMs() !== null;

  function ask(asked: AuthorizationRequest): Answer {
    if (isTooLate(asked, clock)) throw new AppError('oauth_interaction_unknown');
    guests.sweep();
    if (isFrozen()) return { kind: 'message', message: frozenMessage };
    guests.takeBackEarlier(asked.clientId);
    if (guests.isCrowded()) return { kind: 'message', message: crowdedMessage };
    const admission = admissionOf(asked, ids);
    const { id: proposalId } = gate.proposeAdmission(admission, {
      profileId: profiles.current().id,
      endsAtMs: lastMoment(asked),
    });
    const { expiresAtMs } = asked;
    const guest = { admission, proposalId, askedAtMs: clock.nowMs(), expiresAtMs, isTold: false };
    guests.add(asked.id, guest);
    return { kind: 'waits', guest };
  }

  function look(id: string, guest: Guest): Answer {
    const proposal = gate.get(guest.proposalId);
    const fate = fates[proposal.state];
    if (fate === 'enters') return { kind: 'enters', guest };
    if (fate === 'waits') {
      if (!isFrozen()) return { kind: 'waits', guest };
      gate.takeBackAdmission(guest.proposalId);
      guests.forget(id);
      return { kind: 'message', message: frozenMessage };
    }
    if (guest.isTold) return { kind: 'leaves' };
    guest.isTold = true;
    return { kind: 'message', message: endMessage(proposal) };
  }

  function answerTo(asked: AuthorizationRequest): Answer {
    const guest = guests.find(asked.id);
    if (guest !== null) return look(asked.id, guest);
    try {
      return ask(asked);
    } catch (failure) {
      if (!(failure instanceof AppError) || failure.code !== 'too_many_waiting') throw failure;
      return { kind: 'message', message: crowdedMessage };
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
      const answer = answerTo(asked);
      if (answer.kind === 'enters') guests.forget(asked.id);
      await carryOut(answer, exchange);
    },
    refusalPage({ description }) {
      const text = `${description} Close this page and connect again from your program.`;
      return { body: messagePage({ title: 'Not connected', text }).text, headers: pageHeaders };
    },
    close: guests.close,
  };
}

async function carryOut(answer: Answer, { response, finish }: InteractionExchange): Promise<void> {
  switch (answer.kind) {
    case 'waits':
      return sendWaitingPage(response, waitingPage(answer.guest.admission));
    case 'message':
      return sendWaitingPage(response, messagePage(answer.message));
    case 'enters': {
      const { agentId, scopes } = answer.guest.admission;
      return finish({ kind: 'granted', subject: agentId, scopes });
    }
    case 'leaves':
      return finish({ kind: 'denied' });
    default:
      return assertNever(answer);
  }
}

/** A page that only tells something. */
interface Message {
  title: string;
  text: string;
}

const frozenMessage: Message = {
  title: 'All agents are frozen',
  text: 'Nobody is let in until you let agents work again in Countersign. This page goes on by itself then.',
};

const crowdedMessage: Message = {
  title: 'Too many programs want to be let in',
  text: 'Decide in Countersign about those that wait. This page goes on by itself then.',
};

/** How an admission that let nobody in has ended; the program hears of it right after. */
function endMessage({ state, outcome }: Pick<ProposalView, 'state' | 'outcome'>): Message {
  const next = 'Its program is told. You can close this page.';
  switch (state) {
    case 'denied':
      return { title: 'You did not let it in', text: next };
    case 'expired':
      return { title: 'Nobody decided in time', text: `It was not let in. ${next}` };
    default:
      return { title: 'It was not let in', text: `${outcome?.message ?? ''} ${next}`.trim() };
  }
}
