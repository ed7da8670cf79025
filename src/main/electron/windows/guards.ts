import { app, session, type Session, type WebContents, type WebPreferences } from 'electron';
import type { Links } from './links.ts';
import { desktopOrigins } from '#shared/host-api/index.ts';

/** Stops DNS prefetching, which no guard sees. The system's proxy script needs other look-ups. Call it before `ready`. */
export function ignoreHints(): void {
  app.commandLine.appendSwitch('blink-settings', 'dnsPrefetchingEnabled=false');
}

/** A nonexistent proxy, also for loopback: a request that passes every guard ends there, before its name is looked up. */
const nowhere = {
  mode: 'fixed_servers',
  proxyRules: 'socks5://127.0.0.1:1',
  proxyBypassRules: '<-loopback>',
} as const;

/** Installs the guards on every page and every future session. Call it when the app is ready, before any window is created. */
export function setUpGuards(links: Pick<Links, 'follow'>): void {
  // The default session has no pages; it only finds the system's proxies. All other sessions are created later.
  guardSession(session.defaultSession);
  app.on('session-created', (created) => {
    guardSession(created);
    void created.setProxy(nowhere);
  });
  app.on('web-contents-created', (_event, contents) => guardContents(contents, links));
}

/** Pages cannot navigate, open windows, embed foreign content or prevent quitting. External addresses are shown to the person. */
function guardContents(contents: WebContents, links: Pick<Links, 'follow'>): void {
  let home = '';
  contents.on('will-frame-navigate', (event) => {
    if (!mayNavigate(contents.getURL(), event.url, event.isMainFrame)) event.preventDefault();
  });
  contents.on('will-navigate', (event) => {
    if (!mayNavigate(contents.getURL(), event.url, event.isMainFrame)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => event.preventDefault());
  // Navigation to an empty page cannot be cancelled, and a page may change its own address before a reload. In both
  // cases the entry page is loaded again.
  contents.on('did-navigate', (_event, url) => {
    if (isEntryPage(url)) home = url;
    else if (home !== '') void contents.loadURL(home).catch(() => undefined);
  });
  // Cancelling this event overrides the page's attempt to prevent its own end.
  contents.on('will-prevent-unload', (event) => event.preventDefault());
  // Only a person may move a window, so that a page cannot move a button under the pointer.
  contents.on('content-bounds-updated', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    void links.follow(url);
    return { action: 'deny' };
  });
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
}

function guardSession(session: Session): void {
  session.webRequest.onBeforeRequest(({ url }, decide) => {
    decide({ cancel: !mayLoad(url, { packaged: app.isPackaged }) });
  });
  session.setPermissionRequestHandler((_contents, permission, decide, { requestingUrl, isMainFrame }) => {
    decide(mayUse(permission, originOf(requestingUrl), isMainFrame));
  });
  session.setPermissionCheckHandler((_contents, permission, origin, { isMainFrame }) =>
    mayUse(permission, origin, isMainFrame),
  );
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler(null);
  session.setUSBProtectedClassesHandler(({ protectedClasses }) => protectedClasses);
  session.setBluetoothPairingHandler((_details, answer) => answer({ confirmed: false }));
  session.setSpellCheckerEnabled(false);
  // Chromium would download the dictionary from Google past the guard of requests. That has not started yet here.
  session.setSpellCheckerLanguages([]);
  session.on('will-download', (event) => event.preventDefault());
  // Without an answer, Electron selects the first device of the list.
  session.on('select-hid-device', (event, _details, choose) => {
    event.preventDefault();
    choose(null);
  });
  session.on('select-serial-port', (event, _ports, _contents, choose) => {
    event.preventDefault();
    choose('');
  });
  session.on('select-usb-device', (event, _details, choose) => {
    event.preventDefault();
    choose();
  });
}

/** Returns scheme and host, also for the app's own scheme, whose `origin` is opaque to the parser. */
function originOf(address: string): string {
  const url = URL.parse(address);
  return url === null ? '' : `${url.protocol}//${url.host}`;
}

export function mayLoad(url: string, { packaged }: { packaged: boolean }): boolean {
  return isOurPage(url) || (!packaged && url.startsWith('devtools://'));
}

function isOurPage(url: string): boolean {
  return Object.values(desktopOrigins).some((origin) => url.startsWith(`${origin}/`));
}

export function isEntryPage(url: string): boolean {
  return Object.values(desktopOrigins).some((origin) => withoutFragment(url) === `${origin}/`);
}

/** Allows a document to reload itself. A change of the fragment is not a navigation. */
export function mayNavigate(from: string, to: string, isMainFrame: boolean): boolean {
  return isMainFrame && from !== '' && withoutFragment(from) === withoutFragment(to);
}

const withoutFragment = (url: string): string => url.split('#', 1)[0] ?? '';

export function mayUse(permission: string, origin: string, isMainFrame: boolean): boolean {
  const isApp = [desktopOrigins.app, desktopOrigins.training].some((own) => own === withoutSlash(origin));
  return permission === 'clipboard-sanitized-write' && isMainFrame && isApp;
}

const withoutSlash = (origin: string): string => origin.replace(/\/$/, '');

interface PageOfWindow {
  preload: string;
  partition: string;
  packaged: boolean;
}

export function securePreferences({ preload, partition, packaged }: PageOfWindow): WebPreferences {
  return {
    preload,
    partition,
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    webviewTag: false,
    experimentalFeatures: false,
    plugins: false,
    webgl: false,
    spellcheck: false,
    navigateOnDragDrop: false,
    safeDialogs: true,
    devTools: !packaged,
  };
}
