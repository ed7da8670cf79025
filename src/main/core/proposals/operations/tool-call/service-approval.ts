import type { StoredProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { readStoredCall } from './stored-call.ts';

/** Margin before the end of the service's approval, in milliseconds: sending needs time as well. */
const marginMs = 30_000;

/** The moment from which the service's approval leaves no time to send. */
export function usableUntilMs(approvalEndsAtMs: number): number {
  return approvalEndsAtMs - marginMs;
}

/**
 * The same of a stored proposal; null where it has no approval, or ends with it: a commit of the app's own.
 */
export function approvalEndOf({
  operation,
  payload,
  base,
}: Pick<StoredProposal, 'operation' | 'payload' | 'base'>): number | null {
  if (operation !== 'tool.call' || payload === '') return null;
  const { approvalEndsAtMs, task, upload } = readStoredCall({ payload, base }).stored;
  const isOwn = task !== null || upload !== undefined;
  return approvalEndsAtMs === null || isOwn ? null : usableUntilMs(approvalEndsAtMs);
}

/** Passes while the service's approval of what it prepared leaves time to send it. Fails with `approval_ended`. */
export function assertApprovalLives(proposal: StoredProposal, nowMs: number): void {
  if (hasApprovalEnded(proposal, nowMs)) throw new AppError('approval_ended');
}

/** True for a change that the service would not take any more, unless it is prepared again. */
export function hasApprovalEnded(proposal: StoredProposal, nowMs: number): boolean {
  const endsAtMs = approvalEndOf(proposal);
  return endsAtMs !== null && nowMs >= endsAtMs;
}
