import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface Installation {
  version: string;
  rendererFolder: string;
}

export function findInstallation(from: string = import.meta.dirname): Installation {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (!existsSync(manifest)) continue;
    const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
    return { version, rendererFolder: join(folder, 'out', 'renderer') };
  }
  throw new Error('No package.json above this program');
}
