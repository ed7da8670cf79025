import type { Agents, Freeze } from '#core/agents/index.ts';
import type {
  AuthorizationRequest,
  InteractionExchange,
  InteractionStrategy,
} from '#core/oauth-server/index.ts';
import { type Clock, momentNow } from '#core/platform/clock.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { Profiles } from '#core/profiles/index.ts';
import type { Gate } from '#core/proposals/index.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import {
  type PendingAdmission,
  admissionOf,
  createPendingAdmissions,
  fates,
  isTooLate,
  lastMoment,
} from './pending-admissions.ts';
import type { ServerResponse } from 'node:http';
import {
  type Markup,
  browserPage,
  browserPageHeaders,
  createPageStyle,
  html,
} from '#core/platform/browser-page.ts';
import { quoted } from '#shared/lib/inert-text.ts';

interface AdmissionOptions {
  gate: Pick<Gate, 'proposeAdmission' | 'takeBackAdmission' | 'get'>;
  freeze: Pick<Freeze, 'assertThawed'>;
  profiles: Pick<Profiles, 'current'>;
  agents: Pick<Agents, 'living' | 'end'>;
  clock: Clock;
  ids: Ids;
  logger: Logger;
}

type AdmissionStep =
  | { kind: 'pending'; pending: PendingAdmission }
  | { kind: 'message'; message: Message }
  | { kind: 'admitted'; pending: PendingAdmission }
  | { kind: 'refused' };

/** The person decides in the app's own window. The browser only shows the state (docs/agents.md). */
interface AdmissionInteraction extends InteractionStrategy {
  /** Withdraws all pending admissions, because their browsers cannot come back after the endpoint closes. */
  close(): void;
}

/** The first request of a browser asks the person. Later requests only report the state. */
export function createAdmissionInteraction(options: AdmissionOptions): AdmissionInteraction {
  const { gate, freeze, profiles, agents, clock, ids, logger } = options;
  const admissions = createPendingAdmissions({ gate, agents, clock, logger });

  function stopped(): Message | null {
    try {
      freeze.assertThawed();
      return null;
    } catch (failure) {
      if (!(failure instanceof AppError)) throw failure;
      return failure.code === 'agents_frozen' ? frozenMessage : policyMessage;
    }
  }

  function ask(asked: AuthorizationRequest): AdmissionStep {
    if (isTooLate(asked, clock)) throw new AppError('oauth_interaction_unknown');
    admissions.sweep();
    const message = stopped();
    if (message !== null) return { kind: 'message', message };
    admissions.withdrawEarlier(asked.clientId);
    if (admissions.isFull()) return { kind: 'message', message: fullMessage };
    const admission = admissionOf(asked, ids);
    const { id: proposalId } = gate.proposeAdmission(admission, {
      profileId: profiles.current().id,
      endsAtMs: lastMoment(asked),
    });
    const { expiresAtMs } = asked;
    const pending = { admission, proposalId, askedAt: momentNow(clock), expiresAtMs, isShown: false };
    admissions.add(asked.id, pending);
    return { kind: 'pending', pending };
  }

  function look(id: string, pending: PendingAdmission): AdmissionStep {
    const proposal = gate.get(pending.proposalId);
    const fate = fates[proposal.state];
    if (fate === 'admitted') return { kind: 'admitted', pending };
    if (fate === 'pending') {
      const message = stopped();
      if (message === null) return { kind: 'pending', pending };
      gate.takeBackAdmission(pending.proposalId);
      admissions.forget(id);
      return { kind: 'message', message };
    }
    if (pending.isShown) return { kind: 'refused' };
    pending.isShown = true;
    return { kind: 'message', message: endMessage(proposal) };
  }

  function answerTo(asked: AuthorizationRequest): AdmissionStep {
    const pending = admissions.find(asked.id);
    if (pending !== null) return look(asked.id, pending);
    try {
      return ask(asked);
    } catch (failure) {
      if (!(failure instanceof AppError)) throw failure;
      if (failure.code === 'too_many_waiting') return { kind: 'message', message: fullMessage };
      if (failure.code !== 'attempts_spent') throw failure;
      const text = `${failure.message} This page updates automatically.`;
      return { kind: 'message', message: { ...fullMessage, text } };
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
      if (answer.kind === 'admitted') admissions.forget(asked.id);
      await sendAnswer(answer, exchange);
    },
    refusalPage({ description }) {
      const text = `${description} Close this page and connect again from your program.`;
      return { body: messagePage({ title: 'Not connected', text }).text, headers: pageHeaders };
    },
    close: admissions.close,
  };
}

async function sendAnswer(answer: AdmissionStep, { response, finish }: InteractionExchange): Promise<void> {
  switch (answer.kind) {
    case 'pending':
      return sendWaitingPage(response, waitingPage(answer.pending.admission));
    case 'message':
      return sendWaitingPage(response, messagePage(answer.message));
    case 'admitted': {
      const { agentId, scopes } = answer.pending.admission;
      return finish({ kind: 'granted', subject: agentId, scopes });
    }
    case 'refused':
      return finish({ kind: 'denied' });
    default:
      return assertNever(answer);
  }
}

interface Message {
  title: string;
  text: string;
}

const frozenMessage: Message = {
  title: 'All agents are frozen',
  text: 'No agent gets access until you let agents work again in Countersign. This page updates automatically.',
};

const policyMessage: Message = {
  title: 'All agents are stopped',
  text: 'The policy of this computer’s administrator cannot be used. Countersign says why. This page updates automatically.',
};

const fullMessage: Message = {
  title: 'Too many access requests',
  text: 'Decide on the pending requests in Countersign. This page updates automatically.',
};

/** The page for an admission that ended without access. The program gets the refusal only at the next reload. */
function endMessage({ state, outcome }: Pick<ProposalView, 'state' | 'outcome'>): Message {
  const next = 'The program has been notified. You can close this page.';
  switch (state) {
    case 'denied':
      return { title: 'Access denied', text: next };
    case 'expired':
      return { title: 'Request expired', text: `Access was not granted. ${next}` };
    default:
      return { title: 'Access not granted', text: `${outcome?.message ?? ''} ${next}`.trim() };
  }
}

const style = createPageStyle(`
:root {
  --sans: 'Inter Variable', Inter, system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
  --mono: 'JetBrains Mono', ui-monospace, 'SF Mono', Menlo, 'DejaVu Sans Mono', monospace;
}
@media (prefers-color-scheme: dark) { :root { --ink: #a9c0ff; } }
body { min-height: calc(100vh - 2px); place-content: center; font-family: var(--sans); }
header, main, footer { width: min(520px, calc(100vw - 32px)); }
main { padding: 24px; }
h1, footer { text-wrap: pretty; }
p { margin: 8px 0 0; color: var(--soft); }
p b { color: var(--text); font-weight: 600; unicode-bidi: isolate; }
.words {
  margin: 20px 0; padding: 20px 16px; border: 1px solid var(--line); border-radius: 6px; background: var(--sunken); color: var(--ink);
  font: 600 28px/32px var(--mono); letter-spacing: -0.02em; text-align: center;
}
.waits { display: flex; align-items: center; gap: 8px; margin-top: 0; font-size: 13px; line-height: 20px; }
.waits::before { content: ''; flex: none; width: 8px; height: 8px; border-radius: 999px; background: var(--ink); }
@media (max-width: 480px) {
  body { padding: 16px; place-content: start center; }
  main { padding: 16px; }
  .words { font-size: 20px; line-height: 28px; }
}
`);

const pageHeaders: Readonly<Record<string, string>> = browserPageHeaders(style);

/** The page reloads after these seconds, because it has no script. */
const refreshSeconds = 2;

function sendWaitingPage(response: ServerResponse, { text }: Markup): void {
  response.writeHead(200, { ...pageHeaders, refresh: String(refreshSeconds) });
  response.end(text);
}

function page(parts: { title: string; card: Markup; footer: string }): Markup {
  return browserPage({ style, site: 'Countersign', ...parts });
}

interface WaitingPage {
  /** The agent's own claim: untrusted text. */
  name: string;
  words: string;
}

/** Shows two words that the confirmation window repeats. The account is shown in the window only. */
function waitingPage({ name, words }: WaitingPage): Markup {
  const card = html`<h1>Confirm in the Countersign window</h1>
    <p>
      A program that calls itself <b>${quoted(name)}</b> requests access. Compare these two words with those
      in the window. Allow it only if they match.
    </p>
    <div class="words">${words}</div>
    <p class="waits" role="status">Waiting for you. This page updates automatically.</p>`;
  return page({
    title: 'Waiting for you',
    card,
    footer: 'If you did not connect a program just now, deny it in the window and close this page.',
  });
}

function messagePage({ title, text }: { title: string; text: string }): Markup {
  const card = html`<h1>${title}</h1>
    <p>${text}</p>`;
  return page({ title, card, footer: 'Nothing can be decided on this page.' });
}
