import type { CoreState } from '#shared/host-api/index.ts';
import type { DesktopLog } from '../log.ts';

/** Writes down how the core stands now, without anything that it holds. */
export function logState(state: CoreState, log: DesktopLog): void {
  if (state.kind === 'stopped') log.warn({ code: state.failure.code }, 'The core stopped');
  else if (state.kind === 'restarting')
    log.warn({ attempt: state.attempt }, 'The core ended and starts again');
  else log.info({ state: state.kind }, 'The core changed its state');
}
