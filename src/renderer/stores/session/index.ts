import { appBridge } from '#renderer/api/app-bridge.ts';
import { routeHref } from '../ui/index.ts';
import { createSessionStore, type ReloadPlace } from './session-store.ts';

export { formatsIn, profileStep, serviceAheadMs, serviceToday } from './session-store.ts';
export type { ReloadPlace, SessionState, SessionStore } from './session-store.ts';

/** The page's session store. */
export const sessionStore = createSessionStore(appBridge, beginAnew);

/** Loads the page again: nothing that it held of another profile survives. */
function beginAnew(place: ReloadPlace): void {
  if (place === 'campaigns') location.hash = routeHref({ page: 'campaigns', cid: null });
  location.reload();
}
