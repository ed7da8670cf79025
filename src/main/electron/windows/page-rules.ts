import type { WebPreferences } from 'electron';
import { desktopOrigins } from '#shared/host-api/index.ts';

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

export interface PageOfWindow {
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
