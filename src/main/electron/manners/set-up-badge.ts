import { app } from 'electron';
import type { CoreSupervisor } from '../core-link/index.ts';
import { after } from '../after.ts';
import { watchWaitingCount } from './waiting-count.ts';

/** The count of waiting changes on the dock or launcher, where there is one. Windows has none without a picture for each count. */
export function setUpBadge(core: CoreSupervisor): () => void {
  if (process.platform === 'win32') return () => {};
  return watchWaitingCount({ core, after, hear: (count) => void app.setBadgeCount(count ?? 0) });
}
