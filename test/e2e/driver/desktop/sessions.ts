import type { Sessions } from '../session.ts';

export function prepareDesktopSessions(): Sessions {
  throw new Error('not yet');
}
