import type { FieldVerdict } from '../campaign/index.ts';
import { AppError, type ErrorCode } from '../errors/index.ts';
import { joinSentences, ownWords, quotedUpTo, sentence, type Sentence } from '../lib/sentence.ts';
import { isUndecided, type ProposalState } from '../proposals/states.ts';
import { type FieldConflict, outdatedWords, verdictWords } from './outcomes.ts';

interface AgentProposal {
  id: string;
  state: ProposalState;
  rebase: {
    of: string;
    preparedAgain?: true;
    moved: readonly { field: string; label: string; before: string; after: string }[];
  } | null;
  conflict: readonly FieldConflict[];
  verdicts: readonly FieldVerdict[];
  outcome: { code: ErrorCode; message: Sentence; next: Sentence } | null;
  reason: string | null;
}

export interface Refusal {
  code: string;
  message: Sentence;
  next: Sentence;
  statusCode: number;
}

function replacedWords({ id, rebase }: AgentProposal): Sentence[] {
  if (rebase?.preparedAgain !== true) return [];
  return [
    sentence`The same change was prepared again for a person, under a new approval of the service: proposal ${ownWords(id)} took the place of ${ownWords(rebase.of)}.`,
  ];
}

export function waitingWords(view: AgentProposal): Refusal {
  const { id, state } = view;
  const message = isUndecided(state)
    ? sentence`Not executed: waiting for confirmation by a person. Proposal ${ownWords(id)}.`
    : sentence`A person has approved this, and the outcome is not known yet. Proposal ${ownWords(id)}.`;
  const next = sentence`Call countersign_await with this proposalId to learn the outcome; do not repeat the call.`;
  return refusal('waiting_for_person', { message: joinSentences([message, ...replacedWords(view)]), next });
}

export function endWords(view: AgentProposal): Refusal {
  const words = refusalForEnd(view);
  return { ...words, message: joinSentences([words.message, ...replacedWords(view)]) };
}

function refusalForEnd(view: AgentProposal): Refusal {
  const { id, state, reason, outcome } = view;
  switch (state) {
    case 'denied':
      return refusal('denied_by_person', deniedWords(reason));
    case 'expired':
      return refusal('proposal_expired', {
        message:
          outcome === null || outcome.code === 'proposal_expired'
            ? sentence`No decision was made in time. Nothing was sent.`
            : outcome.message,
        next: sentence`Prepare the change again if it is still wanted. If a person does that in the app, countersign_await with proposalId ${ownWords(id)} follows it.`,
      });
    case 'stale':
      return refusal(outcome?.code === 'guardrail' ? 'guardrail' : 'proposal_stale', {
        message: joinSentences([
          outcome?.message ?? new AppError('proposal_stale').message,
          ...changedWords(view),
        ]),
        next: sentence`Read the current state, and prepare the change again if it is still wanted.`,
      });
    case 'unknown':
      return refusal(outcome?.code ?? 'outcome_unknown', {
        message: sentence`Do not send this again. ${ownWords(outcome?.message ?? new AppError('outcome_unknown').message)}`,
        next: sentence`Look at the current state, or ask again with countersign_await and proposalId ${ownWords(id)}.`,
      });
    case 'refused':
      return refusal(outcome?.code ?? 'write_not_stored', {
        ...outcome,
        next: sentence`Read the current state first.`,
      });
    default:
      return withdrawnWords(outcome);
  }
}

const withdrawalReasons: Readonly<Partial<Record<ErrorCode, string>>> = {
  agent_ended: 'this agent’s access has ended',
  agents_frozen: 'a person has frozen all agents',
  proposal_withdrawn: 'this call or its session ended before a person decided',
  stopped_before_sending: 'Countersign stopped before it was sent',
};

/** Only a person in the app withdraws without an outcome. */
function withdrawnWords(outcome: AgentProposal['outcome']): Refusal {
  if (outcome === null) {
    return refusal('proposal_withdrawn', {
      message: sentence`Nothing was sent: a person withdrew this change.`,
    });
  }
  const { code, message } = outcome;
  const because = withdrawalReasons[code];
  return refusal(code, {
    message:
      because === undefined
        ? sentence`Nothing was sent. ${ownWords(message)}`
        : sentence`Nothing was sent: ${ownWords(because)}.`,
    next: nextForAgent(outcome),
  });
}

/** In code points. Must be longer than any reason that a person can enter. */
const maxReasonLength = 1_000;

function deniedWords(reason: string | null): Partial<Pick<Refusal, 'message' | 'next'>> {
  if (reason === null || reason === '') return {};
  const { message, next } = new AppError('denied_by_person');
  return {
    message: sentence`${ownWords(message)} The reason: ${quotedUpTo(reason, maxReasonLength)}.`,
    next: sentence`Read the reason. ${ownWords(next)}`,
  };
}

export function executedWords(view: AgentProposal): Pick<Refusal, 'message' | 'next'> {
  return {
    message: joinSentences([executedVerdict(view), ...replacedWords(view)]),
    next: nextByState[view.state] ?? sentence`Read the current state first.`,
  };
}

const nextByState: Readonly<Partial<Record<ProposalState, Sentence>>> = {
  verified: sentence`Nothing is left to do.`,
  done: sentence`Read the current state before you rely on it.`,
  differs: sentence`Do not send this again. Read the current state, and tell the person you work for what differs.`,
};

function executedVerdict(view: AgentProposal): Sentence {
  const fields = view.verdicts
    .filter(({ verdict }) => verdict !== 'stored')
    .map((field) => sentence`${ownWords(verdictWords(field, field.verdict))}.`);
  return joinSentences([executedText(view), ...fields, sentence`Proposal ${ownWords(view.id)}.`]);
}

function executedText({ state, outcome }: AgentProposal): Sentence {
  switch (state) {
    case 'verified':
      return sentence`Countersign: a person approved this, and reading it back found what was approved.`;
    case 'differs':
      return sentence`Countersign: a person approved this, and reading it back found something different from what was approved.`;
    case 'done':
      return sentence`Countersign: a person approved this and it was sent; there is nothing that Countersign could read back.`;
    default:
      return joinSentences([
        sentence`Countersign: a person approved this, and the service did not do it.`,
        ...(outcome === null ? [] : [outcome.message]),
      ]);
  }
}

export function answerLostWords(view: AgentProposal): Refusal {
  return refusal('answer_lost', {
    message: joinSentences([executedVerdict(view), sentence`The service’s own answer was lost.`]),
  });
}

function changedWords({ conflict, rebase }: AgentProposal): Sentence[] {
  const moved = (rebase?.moved ?? []).map(({ before, after, ...field }) => ({
    ...field,
    base: before,
    theirs: after,
  }));
  return [...conflict, ...moved].map(outdatedWords);
}

function refusal(code: ErrorCode, words: Partial<Pick<Refusal, 'message' | 'next'>>): Refusal {
  const { message, next, status } = new AppError(code);
  return { code, message: words.message ?? message, next: words.next ?? next, statusCode: status };
}

const askThePerson = sentence`Ask the person who runs Countersign: the app says what to do about it.`;
const tryLater = sentence`Try again later.`;

/** Next steps for codes whose catalogue text would address the user of the app. */
const nextStepsForAgents: Readonly<Partial<Record<ErrorCode, Sentence>>> = {
  agent_ended: sentence`Connect again, and prepare the change again if it is still wanted.`,
  agent_unknown: askThePerson,
  approval_invalid: sentence`Read the current state, prepare again, and commit the new approval.`,
  campaign_not_found: sentence`Look the campaign id up in a list of campaigns.`,
  certificate_untrusted: askThePerson,
  credential_missing: askThePerson,
  disk_full: askThePerson,
  disk_read_only: askThePerson,
  internal: askThePerson,
  ledger_broken: askThePerson,
  nothing_to_change: sentence`Read the current state: the values that you give are stored already.`,
  operation_refused: sentence`Do what the message says; do not repeat the call unchanged.`,
  live_on_desktop_only: askThePerson,
  profile_unknown: askThePerson,
  profile_changed: sentence`Read the current state, and call it again if it is still wanted.`,
  proposal_not_found: sentence`Check the id: only your own proposals can be asked for.`,
  protocol_failed: askThePerson,
  proxy_refused: askThePerson,
  proxy_sign_in_needed: askThePerson,
  scope_needed: askThePerson,
  secret_unreadable: askThePerson,
  service_unavailable: tryLater,
  service_unreachable: tryLater,
  sign_in_needed: askThePerson,
  storage_failed: askThePerson,
  attempts_spent: sentence`Wait as long as the message says; do not repeat the call before.`,
  shutting_down: tryLater,
  too_many_waiting: sentence`Wait until a person has decided on some of them; do not repeat the call at once.`,
  unauthenticated: askThePerson,
  validation_failed: sentence`Correct the named fields, and prepare again.`,
  wrong_host: askThePerson,
};

export function nextForAgent({ code, next }: Pick<AppError, 'code' | 'next'>): Sentence {
  return nextStepsForAgents[code] ?? next;
}
