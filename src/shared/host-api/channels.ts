import type { AppRequest } from '../app-api/index.ts';
import type { DesktopRequest } from './desktop.ts';

/** What the app's page may ask, one channel each. The preloads and the registrar take the names from here and nowhere else. */
export const appChannel = (name: AppRequest): string => `app:${name}`;

export const desktopChannel = (name: DesktopRequest): string => `host:${name}`;

/** The state of the core at the moment of asking. */
export const coreStateNowChannel = 'core-state:now';

/** What the host tells the app's page without being asked. */
export const appPushes = {
  event: 'push:event',
  coreState: 'push:core-state',
  menuCommand: 'push:menu-command',
} as const;

export type AppPush = (typeof appPushes)[keyof typeof appPushes];
