import { AppError } from '#shared/errors/index.ts';
import type { Attempt } from './attempt.ts';

/** The state is the one that the change was prepared from. Fails with `state_moved`. */
export function rejectMoved({ approval, kind, principal, request }: Attempt): void {
  if (kind.revision(principal, request.payload) !== approval.revision) throw new AppError('state_moved');
}
