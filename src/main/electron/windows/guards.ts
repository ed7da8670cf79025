import { app, session, type Session, type WebContents } from 'electron';
import type { Links } from './links.ts';
import { isEntryPage, mayLoad, mayNavigate, mayUse } from './page-rules.ts';

/** Stops DNS look-ups for links, which no guard of requests sees. Other look-ups stay: the system's proxy script needs them. Call before `ready`. */
export function ignoreHints(): void {
  app.commandLine.appendSwitch('blink-settings', 'dnsPrefetchingEnabled=false');
}

/** A proxy where none is, the loopback's addresses included: a request that passed every guard ends there, without its name looked up. */
const nowhere = {
  mode: 'fixed_servers',
  proxyRules: 'socks5://127.0.0.1:1',
  proxyBypassRules: '<-loopback>',
} as const;

/** Puts the guards on every page and every session there will be. Call when the app is ready, before any window. */
export function setUpGuards(links: Pick<Links, 'follow'>): void {
  // No page is in this one, which answers which proxies the system names. Every other is created later.
  guardSession(session.defaultSession);
  app.on('session-created', (created) => {
    guardSession(created);
    void created.setProxy(nowhere);
  });
  app.on('web-contents-created', (_event, contents) => guardContents(contents, links));
}

/** Pages cannot navigate, open windows, embed foreign content or prevent the end of the program. External addresses go to the person. */
function guardContents(contents: WebContents, links: Pick<Links, 'follow'>): void {
  let home = '';
  contents.on('will-frame-navigate', (event) => {
    if (!mayNavigate(contents.getURL(), event.url, event.isMainFrame)) event.preventDefault();
  });
  contents.on('will-navigate', (event) => {
    if (!mayNavigate(contents.getURL(), event.url, event.isMainFrame)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => event.preventDefault());
  // An empty page is gone to without asking, and a page may rename itself before it is reloaded: it is loaded again.
  contents.on('did-navigate', (_event, url) => {
    if (isEntryPage(url)) home = url;
    else if (home !== '') void contents.loadURL(home).catch(() => undefined);
  });
  // Prevented is here what the page wanted to prevent: the end of the page.
  contents.on('will-prevent-unload', (event) => event.preventDefault());
  // Only a person moves a window: nothing slips under the pointer.
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
  // Its dictionary would be loaded from Google all the same, past the guard of requests. Here that has not begun yet.
  session.setSpellCheckerLanguages([]);
  session.on('will-download', (event) => event.preventDefault());
  // The first device of a list is chosen where there is no answer.
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

/** Scheme and host, also of a scheme of our own, whose `origin` is opaque to the parser. */
function originOf(address: string): string {
  const url = URL.parse(address);
  return url === null ? '' : `${url.protocol}//${url.host}`;
}
