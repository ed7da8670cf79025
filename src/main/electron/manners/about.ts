/** What this program is made of. */
export interface Versions {
  app: string;
  electron: string;
  chromium: string;
  node: string;
}

/** The versions that run, for the about box and for diagnostics. */
export function versionLines({ app, electron, chromium, node }: Versions): string[] {
  return [`Countersign ${app}`, `Electron ${electron}`, `Chromium ${chromium}`, `Node ${node}`];
}
