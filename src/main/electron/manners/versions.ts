import { app } from 'electron';
import type { Versions } from './about.ts';

/** The versions of this run. */
export function versionsNow(): Versions {
  const { electron, chrome: chromium, node } = process.versions;
  return { app: app.getVersion(), electron, chromium, node };
}
