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
