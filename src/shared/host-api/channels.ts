import type { AppRequest } from '../app-api/index.ts';
import type { DesktopRequest } from './desktop.ts';

/** Channels of the app's page, one for each request. The preloads and the registrar take the names from here and nowhere else. */
export const appChannel = (name: AppRequest): string => `app:${name}`;

export const desktopChannel = (name: DesktopRequest): string => `host:${name}`;

/** The state of the core at the moment of asking. */
export const coreStateNowChannel = 'core-state:now';

/** Events that the host sends to the app's page. */
export const appPushes = {
  event: 'push:event',
  coreState: 'push:core-state',
  menuCommand: 'push:menu-command',
} as const;

export type AppPush = (typeof appPushes)[keyof typeof appPushes];

/** Channels of the confirmation's page, one for each request. The preload and the registrar take the names from here. */
export const confirmChannels = {
  open: 'confirm:open',
  look: 'confirm:look',
  seen: 'confirm:seen',
  picture: 'confirm:picture',
  prepareAgain: 'confirm:prepareAgain',
  undo: 'confirm:undo',
  turn: 'confirm:turn',
  decide: 'confirm:decide',
  close: 'confirm:close',
} as const;

/** Events that the host sends to the confirmation's page. Neither carries anything of a showing. */
export const confirmPushes = {
  reopened: 'confirm-push:reopened',
  /** Number of showings behind the current one. */
  waiting: 'confirm-push:waiting',
} as const;

export type ConfirmPush = (typeof confirmPushes)[keyof typeof confirmPushes];

/** The names of every desktop request, for the preload, which carries no schemas. A test compares them with `desktopApi`. */
export const desktopRequestNames = [
  'desktop.get',
  'desktop.retry',
  'desktop.keepSecrets',
  'desktop.openDataFolder',
  'desktop.copyDiagnostics',
  'desktop.copyText',
  'desktop.beginFile',
  'desktop.addToFile',
  'desktop.endFile',
  'desktop.setTheme',
] as const satisfies readonly DesktopRequest[];
