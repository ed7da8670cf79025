import type { StatusCode } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { BackendReader } from '#core/store/backend/index.ts';

const pending = 0;
const active = 1;
const scheduled = 4;

/** What an activation needs, in micros: $1.00 (contract §3, §8). */
const leastBalanceMicros = 1_000_000;

/** Nobody makes a campaign pending again (contract §3). Fails with `operation_refused`. */
export function rejectPendingTarget(to: StatusCode): void {
  if (to === pending) {
    throw new AppError('operation_refused', { message: 'Members cannot set campaigns to Pending.' });
  }
}

/**
 * Members neither approve nor start what waits for its review (contract §3), also not once it was paused or suspended. Fails
 * with `operation_refused`.
 */
export function rejectApproval(read: BackendReader, cid: number, to: StatusCode): void {
  if ((to === active || to === scheduled) && read.isUnapproved(cid)) {
    throw new AppError('operation_refused', {
      message: `Members cannot approve pending campaigns. Campaign ${cid} was never approved.`,
    });
  }
}

/** Activating needs $1.00 available (contract §3, §8). Fails with `insufficient_balance`. */
export function requireBalance(read: BackendReader, uid: number, to: StatusCode): void {
  if (to !== active) return;
  const available = read.member(uid)?.balanceMicros ?? 0;
  if (available < leastBalanceMicros) throw new AppError('insufficient_balance');
}
