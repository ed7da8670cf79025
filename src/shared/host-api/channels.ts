import type { AppRequest } from '../app-api/index.ts';
import type { ConfirmPreload, DesktopRequest } from './desktop.ts';
import type { PagePlace } from './pages.ts';

/** Each place has channels of its own, so that no page names one of the other's. The preloads and the registrar take the names from here and nowhere else. */
const prefix: Record<PagePlace, string> = { work: '', training: 'training-' };

/** Channels of an app's page, one for each request. */
export const appChannel = (place: PagePlace, name: AppRequest): string => `${prefix[place]}app:${name}`;

export const desktopChannel = (place: PagePlace, name: DesktopRequest): string =>
  `${prefix[place]}host:${name}`;

/** The state of the core at the moment of asking. */
export const coreStateNowChannel = (place: PagePlace): string => `${prefix[place]}core-state:now`;

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

/** The requests of a confirmation's page. */
export type ConfirmRequest = Exclude<keyof ConfirmPreload, `on${string}`>;

/** Channels of a confirmation's page, one for each request. */
export const confirmChannel = (place: PagePlace, name: ConfirmRequest): string =>
  `${prefix[place]}confirm:${name}`;

/** Events that the host sends to the confirmation's page. Neither carries anything of a showing. */
export const confirmPushes = {
  reopened: 'confirm-push:reopened',
  /** Number of showings behind the current one. */
  waiting: 'confirm-push:waiting',
} as const;

export type ConfirmPush = (typeof confirmPushes)[keyof typeof confirmPushes];

/** The desktop requests of both app's pages, for the preloads, which carry no schemas. A test compares all of them with `desktopApi`. */
const commonRequests = [
  'desktop.get',
  'desktop.retry',
  'desktop.openDataFolder',
  'desktop.copyDiagnostics',
  'desktop.copyText',
  'desktop.beginFile',
  'desktop.addToFile',
  'desktop.endFile',
  'desktop.versions',
  'desktop.openChromiumNotices',
  'desktop.setTheme',
] as const satisfies readonly DesktopRequest[];

/** The desktop requests of each place's page. */
export const desktopRequestNames = {
  work: [
    ...commonRequests,
    'desktop.keepSecrets',
    'desktop.firstRows',
    'desktop.openTraining',
    'desktop.diagnostics',
    'desktop.behaviour',
    'desktop.setBehaviour',
    'desktop.updates',
    'desktop.stepUpdates',
    'desktop.setDailyUpdates',
  ],
  training: [...commonRequests, 'desktop.realWork', 'desktop.reviewReal', 'desktop.stopRealAgents'],
} as const satisfies Record<PagePlace, readonly DesktopRequest[]>;
