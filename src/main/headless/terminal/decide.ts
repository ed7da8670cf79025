import type { ProposalView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import {
  armingDelayMs,
  type ConfirmationPort,
  type Confirmer,
  type Decision,
  type Display,
} from '#shared/host-api/index.ts';
import { firstCodePoints, inertText } from '#shared/lib/inert-text.ts';
import { confirmationText, fieldsText } from './confirmation-text.ts';
import type { Style } from './style.ts';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';

export interface TerminalConfirmer {
  confirmer: Confirmer;
  current(): Display | null;
  over(displayId: string): Promise<void>;
}

export function createTerminalConfirmer(): TerminalConfirmer {
  let display: Display | null = null;
  let end = Promise.withResolvers<void>();
  return {
    confirmer: {
      via: 'terminal',
      async show(next) {
        end.resolve();
        end = Promise.withResolvers<void>();
        display = next;
        return { address: null };
      },
      hide(displayId) {
        if (display?.displayId !== displayId) return;
        display = null;
        end.resolve();
      },
    },
    current: () => display,
    over: async (displayId) => (display?.displayId === displayId ? end.promise : undefined),
  };
}

export interface DecideParts {
  /** A terminal shows no pictures and one change at a time. Reopening a proposal prepares it again if necessary. */
  confirmation: Pick<ConfirmationPort, 'seen' | 'decide'>;
  dialogue: Dialogue;
  style: Style;
  nowMs(): number;
  over(displayId: string): Promise<void>;
  out(line?: string): void;
}

const maxReasonLength = 500;

/** Slightly longer than the core's delay, so that a timer that ends early does not end too early. */
const settleMs = armingDelayMs + 50;

/** Asks until the proposal is settled: null if the user left, `over` if it expired or was withdrawn. Only the complete word decides. */
export async function decide(first: Display, parts: DecideParts): Promise<ProposalView | 'over' | null> {
  const { confirmation, style, out, nowMs } = parts;
  let display: Display | null = first;
  let proposal = first.proposal;
  while (display !== null) {
    out();
    for (const line of confirmationText(display.proposal, nowMs(), style)) out(line);
    out();
    const decision = await askForDecision(display, parts);
    if (decision === null || decision === 'over') return decision;
    try {
      const result = await confirmation.decide(decision);
      proposal = result.proposal;
      display = result.again;
    } catch (failure) {
      if (!isOpenStill(failure)) throw failure;
      out(inertText(`${failure.message} ${failure.next}`));
    }
  }
  return proposal;
}

function isOpenStill(failure: unknown): failure is AppError {
  return (
    failure instanceof AppError &&
    (failure.code === 'typed_value_wrong' || failure.code === 'confirmation_too_early')
  );
}

type PersonAnswer = Reply | { kind: 'over' };

function asking(
  displayId: string,
  { dialogue, over, out }: DecideParts,
): (question: string, settleMs: number) => Promise<PersonAnswer> {
  const ended = over(displayId).then((): PersonAnswer => ({ kind: 'over' }));
  return async (question, settleMs) => {
    const answer = await Promise.race([dialogue.ask(question, settleMs), ended]);
    if (answer.kind === 'over') out();
    return answer;
  };
}

async function askForDecision(display: Display, parts: DecideParts): Promise<Decision | 'over' | null> {
  const { confirmation, out } = parts;
  const { displayId, nonce, fingerprint, proposal } = display;
  confirmation.seen({ displayId, nonce });
  const ask = asking(displayId, parts);
  const base = { displayId, nonce, fingerprint, reason: null, typed: null };
  for (let isFirst = true; ; isFirst = false) {
    const reply = await ask('Type approve or deny: ', isFirst ? settleMs : 0);
    if (reply.kind === 'over') return 'over';
    if (reply.kind !== 'line') return null;
    if (reply.text === 'deny')
      return { ...base, decision: 'deny', reason: await askForReason(parts, proposal) };
    if (reply.text === 'approve') {
      if (proposal.typeToConfirm === null) return { ...base, decision: 'approve' };
      const typed = await ask(`Type ${inertText(proposal.typeToConfirm.value)} to confirm: `, 0);
      if (typed.kind === 'over') return 'over';
      return typed.kind === 'line' ? { ...base, decision: 'approve', typed: typed.text } : null;
    }
    if (reply.text === 'payload') out(inertText(proposal.payload));
    else if (reply.text === 'fields') fieldsText(proposal).forEach((line) => out(line));
    else out('Nothing is decided until you type approve or deny.');
  }
}

/** Asks for a reason, which the agent reads. Leaving at this question still denies, because the denial was already typed. */
async function askForReason({ dialogue }: DecideParts, proposal: ProposalView): Promise<string | null> {
  if (!isForAgent(proposal)) return null;
  const reply = await dialogue.ask('Why? The agent reads it; Enter gives no reason: ', 0);
  return reply.kind === 'line' && reply.text !== ''
    ? firstCodePoints(reply.text, maxReasonLength).toWellFormed()
    : null;
}

function isForAgent({ proposedBy, detail }: ProposalView): boolean {
  if (detail.kind === 'admission') return false;
  const askers = detail.kind === 'batch' ? detail.askedBy : [proposedBy];
  return askers.some(({ kind }) => kind === 'agent');
}

export type Reply = { kind: 'line'; text: string } | { kind: 'ended' } | { kind: 'stopped' };

export interface Dialogue {
  /** Discards input that was typed before the question appeared, then asks. */
  ask(question: string, settleMs: number): Promise<Reply>;
  dispose(): void;
}

interface DialogueOptions {
  input: NodeJS.ReadStream;
  print(text: string): void;
  stopped: Promise<unknown>;
}

export function createDialogue({ input, print, stopped }: DialogueOptions): Dialogue {
  // Does not use a line editor, so that the terminal's own editing works and Ctrl-C stays a signal.
  const lines = createInterface({ input, terminal: false });
  let answer: (reply: Reply) => void = () => {};
  let ended = false;
  lines.on('line', (text) => answer({ kind: 'line', text: text.trim() }));
  lines.on('close', () => {
    ended = true;
    answer({ kind: 'ended' });
  });
  return {
    async ask(question, settleMs) {
      answer = () => {};
      await Promise.race([wait(settleMs), stopped]);
      const reply = new Promise<Reply>((resolve) => {
        answer = resolve;
      });
      print(question);
      if (ended) return { kind: 'ended' };
      return Promise.race([reply, stopped.then((): Reply => ({ kind: 'stopped' }))]);
    },
    dispose() {
      lines.close();
      input.pause();
    },
  };
}
