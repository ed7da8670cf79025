import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { StoredProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { AnsweredFailure } from './answered-failure.ts';
import type { Crossings } from './crossings.ts';
import type { Journal } from './journal.ts';
import type { LateArrivals } from './late-arrivals.ts';
import type { Leftovers } from './leftovers.ts';
import type { Operations, ReadBack } from './operation.ts';
import { outcomeOf, outcomeWith } from './outcome.ts';
import { resting, type Answer } from './rest.ts';

export interface SendingOptions {
  journal: Journal;
  leftovers: Leftovers;
  lateArrivals: LateArrivals;
  clock: Clock;
  logger: Logger;
  operations: Operations;
  crossings: Pick<Crossings, 'tell'>;
}

/**
 * Sends an approved proposal: the intent is on the disk before the request leaves; what was stored is read back. Fails only
 * while nothing has been sent.
 */
export function createSending(options: SendingOptions) {
  const { journal, leftovers, lateArrivals, clock, logger, operations, crossings } = options;

  async function send(approved: StoredProposal): Promise<StoredProposal> {
    const intent = journal.move(approved, 'intent', { set: { intentAtMs: clock.nowMs() } });
    lateArrivals.leave(intent.id);
    crossings.tell(intent);
    const answer = await answerTo(intent);
    crossings.tell(intent);
    try {
      if (answer.kind !== 'accepted') return rest(intent, answer);
      return await verify(journal.move(intent, 'sent', { answer: answer.text ?? null }));
    } catch (failure) {
      logger.error({ failure, proposal: intent.id }, 'What came of a write could not be recorded');
      leftovers.leave(intent.id, answer);
      return resting(intent, answer);
    }
  }

  /** A refusal by the service is certain; every other failure leaves open what it stored. */
  async function answerTo(intent: StoredProposal): Promise<Answer> {
    try {
      return { kind: 'accepted', text: await operations[intent.operation].send(intent) };
    } catch (failure) {
      if (failure instanceof AppError && failure.code !== 'outcome_unknown') {
        return { kind: 'refused', outcome: outcomeOf(failure), text: answerIn(failure) };
      }
      logger.warn({ failure, proposal: intent.id }, 'The outcome of a write is unknown');
      return { kind: 'none', text: answerIn(failure) };
    }
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
