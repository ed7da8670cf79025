import type { WebPreferences } from 'electron';

export interface PageOfWindow {
  /** Path of the built preload, the page's only bridge. */
  preload: string;
  /** Session of its own: storage, files and network rules. */
  partition: string;
  /** Packaged: without developer tools. */
  packaged: boolean;
}

/** How every page of ours runs: sandboxed, isolated, without Node. All are written down, defaults of Electron included. */
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
