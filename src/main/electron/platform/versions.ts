import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The version of Countersign, from the package.json that lies above the bundle. Electron's `getVersion()` is Electron's own
 * version where it was started on a file and not on the folder of the app.
 */
export function appVersion(): string {
  const manifest = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

/** The versions of this program and of its runtime. */
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

/** The versions of this run. */
export function versionsNow(): Versions {
  const { electron, chrome: chromium, node } = process.versions;
  return { app: appVersion(), electron, chromium, node };
}
