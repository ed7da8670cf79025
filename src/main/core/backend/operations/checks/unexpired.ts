import { AppError } from '#shared/errors/index.ts';
import type { Attempt } from './attempt.ts';

/** An approval ends with its time. Fails with `approval_invalid`. */
export function rejectExpired({ approval, nowMs }: Attempt): void {
  if (nowMs >= approval.expiresAtMs) throw new AppError('approval_invalid');
}
