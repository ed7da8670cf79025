/** Role of a page: the app, or the confirmation. */
export type PageRole = 'app' | 'confirm';

/** Place of a page: work on a person's profiles, or training, which has origins, windows and a core of its own. */
export type PagePlace = 'work' | 'training';

/** Each origin has the page of its role at `/` and does not serve the other one. */
export const entryPage: Record<PageRole, string> = { app: '/index.html', confirm: '/confirm.html' };

/** Files below it carry a hash of their content in their names. */
export const hashedFiles = '/assets/';

/** Cache header of such a file, which never changes. */
export const keepForEver = 'public, max-age=31536000, immutable';

const mediaTypes: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  ico: 'image/x-icon',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

/** The media type that a file is served as, by the ending of its name. */
export function mediaType(file: string): string {
  return mediaTypes[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
}

/** The policy of a page: it loads the files of its own origin, and whatever `connect` allows. Nothing may frame it. */
export function contentPolicy(connect: "'none'" | "'self'"): string[] {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src ${connect}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ];
}

/** The name of the attribute of the root element by which a page knows where it is, before anything of it runs. */
export const placeAttribute = 'data-place';

/** Returns the page as this place serves it: a page of training says so in its own markup. */
export function markPlace(html: string, place: PagePlace): string {
  return place === 'work' ? html : html.replace('<html', `<html ${placeAttribute}="${place}"`);
}

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
