import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { projectRoot } from '../run-tool.ts';
import { guideFolder, readGuide } from './read-guide.ts';

const name = 'virtual:guide';
const resolved = `\0${name}`;

/** Makes the module `virtual:guide` of the chapters in `docs/guide`: data, and no markup. The page needs no parser and no network. */
export const guidePlugin: Plugin = {
  name: 'guide',
  resolveId: (id) => (id === name ? resolved : null),
  load(id) {
    if (id !== resolved) return null;
    for (const file of readdirSync(join(projectRoot, guideFolder)))
      this.addWatchFile(join(projectRoot, guideFolder, file));
    return `export const chapters = ${JSON.stringify(readGuide(projectRoot))};`;
  },
};
