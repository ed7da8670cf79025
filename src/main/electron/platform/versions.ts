import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Versions } from '#shared/host-api/index.ts';

/** Reads the version from package.json, because `getVersion()` returns Electron's own version if Electron was started with a file. */
export function appVersion(): string {
  return readManifest().version;
}

interface Manifest {
  version: string;
  countersignTestPackage?: string;
}

const readManifest = (): Manifest =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as Manifest;

export function versionLines({ app, electron, chromium, node, test }: Versions): string[] {
  const name = test === null ? `Countersign ${app}` : `Countersign ${app}, a test package (${test})`;
  return [name, `Electron ${electron}`, `Chromium ${chromium}`, `Node ${node}`];
}

export function versionsNow(): Versions {
  const { electron, chrome: chromium, node } = process.versions;
  const { version, countersignTestPackage } = readManifest();
  return { app: version, electron, chromium, node, test: countersignTestPackage ?? null };
}

export function chromiumNoticesPath(): string {
  const folder = process.platform === 'darwin' ? process.resourcesPath : dirname(process.execPath);
  return join(folder, 'LICENSES.chromium.html');
}
