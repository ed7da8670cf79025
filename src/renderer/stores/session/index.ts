import { appBridge } from '#renderer/api/app-bridge.ts';
import { createSessionStore } from './session-store.ts';

export type { SessionState, SessionStore } from './session-store.ts';

/** The page's session store. */
export const sessionStore = createSessionStore(appBridge);
