import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import { pauseBeforeWriteMs } from '#core/service-client/index.ts';
import type { StoredProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { AnsweredFailure } from './answered-failure.ts';
import type { Crossings } from './crossings.ts';
import type { Journal } from '../lifecycle/journal.ts';
import type { LateArrivals } from '../lifecycle/late-arrivals.ts';
import type { Leftovers } from '../lifecycle/unrecorded.ts';
import type { Operations, ReadBack } from '../operations/operation.ts';
import { outcomeOf, outcomeWith } from '../lifecycle/outcome.ts';
import { resting, type Answer } from '../lifecycle/rest.ts';

export interface SendingOptions {
  journal: Journal;
  leftovers: Leftovers;
  lateArrivals: LateArrivals;
  clock: Clock;
  logger: Logger;
  operations: Operations;
  crossings: Pick<Crossings, 'tell'>;
  /** At least 0 and below 1, as `Math.random`. */
  random(): number;
}

/** A write that the service refused with 429, and that may be sent again after a pause. */
export interface Waiting {
  intent: StoredProposal;
  pauseMs: number;
  /** How often it was sent. */
  tries: number;
}

/** What came of one sending. */
export type Sending = { kind: 'rests'; proposal: StoredProposal } | ({ kind: 'waits' } & Waiting);

/** Sends it for the n-th time, without what its verdicts leave out. Fails only while nothing has been sent. */
export type Send = (proposal: StoredProposal, tries: number) => Promise<Sending>;

/** Sends an approved proposal: the intent is on the disk before each request leaves; what was stored is read back. */
export function createSending(options: SendingOptions): Send {
  const { journal, leftovers, lateArrivals, clock, logger, operations, crossings, random } = options;

  async function send(proposal: StoredProposal, tries: number): Promise<Sending> {
    const intent = journal.move(proposal, 'intent', { set: { intentAtMs: clock.nowMs(), outcome: null } });
    lateArrivals.leave(intent.id);
    crossings.tell(intent);
    const { answer, pauseMs } = await answerTo(intent, tries);
    crossings.tell(intent);
    try {
      if (pauseMs !== null) return { kind: 'waits', intent: asToWait(intent, pauseMs), pauseMs, tries };
      if (answer.kind !== 'accepted') return rests(rest(intent, answer));
      return rests(await verify(journal.move(intent, 'sent', { answer: answer.text ?? null })));
    } catch (failure) {
      logger.error({ failure, proposal: intent.id }, 'What came of a write could not be recorded');
      leftovers.leave(intent.id, answer);
      return rests(resting(intent, answer));
    }
  }

  /** A refusal by the service is certain; every other failure leaves open what it stored. */
  async function answerTo(
    intent: StoredProposal,
    tries: number,
  ): Promise<{ answer: Answer; pauseMs: number | null }> {
    try {
      const text = await operations[intent.operation].send(intent);
      return { answer: { kind: 'accepted', text }, pauseMs: null };
    } catch (failure) {
      if (failure instanceof AppError && failure.code !== 'outcome_unknown') {
        const answer = { kind: 'refused', outcome: outcomeOf(failure), text: answerIn(failure) } as const;
        return { answer, pauseMs: pauseBeforeWriteMs(failure, { tries, random: random() }) };
      }
      logger.warn({ failure, proposal: intent.id }, 'The outcome of a write is unknown');
      return { answer: { kind: 'none', text: answerIn(failure) }, pauseMs: null };
    }
  }

  /** On record, so that a person sees that it waits. */
  function asToWait(intent: StoredProposal, pauseMs: number): StoredProposal {
    const seconds = Math.ceil(pauseMs / 1000);
    const message = `The service takes no more requests for now. The change is sent again in ${seconds} s.`;
    return journal.move(intent, 'intent', { set: { outcome: outcomeWith('write_waits', message) } });
  }

  function rest(proposal: StoredProposal, answer: Answer): StoredProposal {
    const { state, outcome } = resting(proposal, answer);
    return journal.move(proposal, state, { set: { outcome }, answer: answer.text ?? null });
  }

  async function verify(sent: StoredProposal): Promise<StoredProposal> {
    let readBack;
    try {
      readBack = await operations[sent.operation].readBack(sent);
    } catch (failure) {
      logger.warn({ failure, proposal: sent.id }, 'The write was accepted and could not be read back');
      return rest(sent, { kind: 'accepted' });
    }
    return judge(journal, sent, readBack);
  }

  return send;
}

function rests(proposal: StoredProposal): Sending {
  return { kind: 'rests', proposal };
}

function answerIn(failure: unknown): string | null {
  return failure instanceof AnsweredFailure ? failure.answer : null;
}

/** The end of a write that reached the service: stored as it was sent, or differently, or done with nothing to read. */
export function judge(
  journal: Journal,
  proposal: StoredProposal,
  { isAsSent, evidence, verdicts }: ReadBack,
): StoredProposal {
  if (isAsSent && evidence === 'none') {
    return journal.move(proposal, 'done', { set: { verdicts, outcome: null } });
  }
  return isAsSent
    ? journal.move(proposal, 'verified', { set: { verdicts, outcome: null } })
    : journal.move(proposal, 'differs', { set: { verdicts, outcome: outcomeWith('stored_differently') } });
}
