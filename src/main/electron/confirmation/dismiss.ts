import { AppError } from '#shared/errors/index.ts';
import type { CoreSupervisor } from '../core-link/index.ts';
import type { ConfirmationDesk } from './desk.ts';

/**
 * The person closed the window. Where a question stood in it, the core hears that it was put away, so that what waits
 * behind it does not come up right after.
 */
export function dismiss(parts: { desk: ConfirmationDesk; core: Pick<CoreSupervisor, 'ask'> }): void {
  const { desk, core } = parts;
  const front = desk.front();
  desk.take({ kind: 'dismissed' });
  if (front?.stage !== 'asking') return;
  const { showingId, nonce } = front.showing;
  void core.ask('confirmation', 'putAway', { showingId, nonce }).catch((failure: unknown) => {
    // It ended meanwhile, or the core did.
    if (!(failure instanceof AppError)) throw failure;
  });
}
