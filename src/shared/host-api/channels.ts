/** Surfaces of requests: an app's page asks its core (`app`) and its host (`host`); a confirmation's page asks about its showings. */
export type PageSurface = 'app' | 'host' | 'confirm';

/** The one channel of a page for its requests to a surface. Every origin has channels of its own. */
export const requestChannel = (origin: string, surface: PageSurface): string => `${origin} ${surface}`;

/** Events that the host sends to an app's page. */
export const appPushes = {
  event: 'push:event',
  coreState: 'push:core-state',
  menuCommand: 'push:menu-command',
  /** The training page alone gets it. */
  realWork: 'push:real-work',
  /** The real app's page alone gets it. */
  updates: 'push:updates',
} as const;

export type AppPush = (typeof appPushes)[keyof typeof appPushes];

/** Events that the host sends to the confirmation's page. Neither carries anything of a showing. */
export const confirmPushes = {
  reopened: 'confirm-push:reopened',
  /** Number of showings behind the current one. */
  waiting: 'confirm-push:waiting',
} as const;

export type ConfirmPush = (typeof confirmPushes)[keyof typeof confirmPushes];
