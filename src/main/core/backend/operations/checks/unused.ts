import { AppError } from '#shared/errors/index.ts';
import type { Attempt } from './attempt.ts';

/** An approval is good for one write. Fails with `approval_invalid`. */
export function rejectUsed({ approval }: Attempt): void {
  if (approval.used) throw new AppError('approval_invalid');
}
