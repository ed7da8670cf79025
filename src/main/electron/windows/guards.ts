import { app, session, type WebContents } from 'electron';
import type { Links } from '../links/index.ts';
import { guardSession } from './guard-session.ts';
import { isEntryPage, mayNavigate } from './page-rules.ts';

/** The web side of this program finds no name, whatever asks for it: not even a hint to connect leaves the machine. Call before the app is ready. */
export function closeNetwork(): void {
  app.commandLine.appendSwitch('host-resolver-rules', 'MAP * ~NOTFOUND');
}

/** Puts the guards on every page and every session there will be. Call when the app is ready, before any window. */
export function setUpGuards(links: Pick<Links, 'follow'>): void {
  app.on('session-created', guardSession);
  guardSession(session.defaultSession);
  app.on('web-contents-created', (_event, contents) => guardContents(contents, links));
}

/**
 * A page stays where it is, and so does its window; it opens nothing and holds nothing foreign, and cannot keep the program
 * from ending. An address it wants to open goes to the person.
 */
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
