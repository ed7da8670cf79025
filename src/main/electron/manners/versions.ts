import { appVersion } from '../app-version.ts';
import type { Versions } from './about.ts';

/** The versions of this run. */
export function versionsNow(): Versions {
  const { electron, chrome: chromium, node } = process.versions;
  return { app: appVersion(), electron, chromium, node };
}
