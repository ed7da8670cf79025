export type PageRole = 'app' | 'confirm';

export type PagePlace = 'work' | 'training';

/** Each origin serves the page of its role at `/` and never the page of the other role. */
export const entryPage: Record<PageRole, string> = { app: '/index.html', confirm: '/confirm.html' };

export const hashedFiles = '/assets/';

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

export function mediaType(file: string): string {
  return mediaTypes[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
}

/**
 * The Content-Security-Policy of a page. It allows files of the page's own origin and the connections in `connect`. No
 * page may be framed.
 */
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

/** The attribute of the root element that tells a page its place before any script of the page runs. */
export const placeAttribute = 'data-place';

export function markPlace(html: string, place: PagePlace): string {
  return place === 'work' ? html : html.replace('<html', `<html ${placeAttribute}="${place}"`);
}

export type PageSurface = 'app' | 'host' | 'confirm';

export const requestChannel = (origin: string, surface: PageSurface): string => `${origin} ${surface}`;

export const appPushes = {
  event: 'push:event',
  coreState: 'push:core-state',
  menuCommand: 'push:menu-command',
  realWork: 'push:real-work',
  updates: 'push:updates',
} as const;

export type AppPush = (typeof appPushes)[keyof typeof appPushes];

export const confirmPushes = {
  reopened: 'confirm-push:reopened',
  waiting: 'confirm-push:waiting',
} as const;

export type ConfirmPush = (typeof confirmPushes)[keyof typeof confirmPushes];
