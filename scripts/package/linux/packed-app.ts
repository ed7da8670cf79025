import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { extractFile } from '@electron/asar';
import { testMarkOf } from '../test-mark.ts';

export interface PackedApp {
  folder: string;
  arch: 'x64' | 'arm64';
  epochSeconds: number;
}

/**
 * The packed app's version in the format of dpkg and rpm. The version of a package made for tests is marked, and sorts before the
 * release.
 */
export function packageVersion({ folder }: PackedApp): string {
  const archive = join(folder, 'resources/app.asar');
  const { version } = JSON.parse(extractFile(archive, 'package.json').toString('utf8')) as {
    version: string;
  };
  // With `~` a pre-release sorts before its release.
  const ordered = version.replace('-', '~');
  return testMarkOf(archive) === null ? ordered : `${ordered}~test`;
}

export function neededGlibc(folder: string): string {
  let newest = 17;
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!isBinary(path) || statSync(join(folder, path)).isDirectory()) continue;
    const text = readFileSync(join(folder, path)).toString('latin1');
    for (const [, minor] of text.matchAll(/\0GLIBC_2\.(\d+)(?=[.\0])/g))
      newest = Math.max(newest, Number(minor));
  }
  return `2.${newest}`;
}

const isBinary = (path: string): boolean => /^[\w-]+$|\.(?:node|so)(?:\.\d+)?$/.test(path);
