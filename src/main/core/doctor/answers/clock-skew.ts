import type { Clock } from '#core/platform/clock.ts';
import type { Answered } from './ask.ts';
import type { Meaning } from './no-answer.ts';
import { duration } from './words.ts';

/** Tokens live for minutes: from here on their times are misread at the edges, and from the second on altogether. */
const noticeAboveMs = 30_000;
const failedAboveMs = 5 * 60_000;

/** How far the service's clock stands from ours, where that matters. */
interface Skew extends Meaning {
  state: 'notice' | 'failed';
}

/**
 * Compares the `Date` of an answer (RFC 9110 §6.6.1) with this computer's clock; null if they agree, or where the answer
 * does not tell. The answer was made somewhere between the question and its end.
 */
export function clockSkew({ headers, tookMs }: Answered, clock: Clock): Skew | null {
  const saidMs = Date.parse(headers.get('date') ?? '');
  // A stored answer is as old as its Age says (RFC 9111 §5.1).
  const ageMs = Number(headers.get('age') ?? 0) * 1000;
  if (Number.isNaN(saidMs) || Number.isNaN(ageMs)) return null;
  const aheadMs = saidMs + ageMs - (clock.nowMs() - tookMs / 2);
  const offMs = Math.abs(aheadMs) - tookMs / 2;
  if (offMs <= noticeAboveMs) return null;
  const side = aheadMs > 0 ? 'ahead of' : 'behind';
  return {
    state: offMs > failedAboveMs ? 'failed' : 'notice',
    means: `The service’s clock is ${duration(aheadMs)} ${side} this computer’s, so each misreads until when a token lives; which of the two is wrong cannot be told from here.`,
    remedy:
      'Let this computer set its clock by the network; if it is right, tell the operator of the service.',
  };
}
