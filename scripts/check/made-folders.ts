import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lineOf, sourcesBelow } from '../lib/source-files.ts';
import type { Check } from './check.ts';

const recursiveCall = /\bmkdir(?:Sync)?\([^;]*?\brecursive\b/gu;

/** Node's own recursive call never returns where a folder exists but nothing can be made in it. */
export const madeFoldersCheck: Check = {
  name: 'made folders',
  remedy: 'Use makeFolder of src/main/system/make-folder.ts.',
  run(root) {
    const problems = sourcesBelow(root, 'src').flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const calls = [...text.matchAll(recursiveCall)];
      return calls.map(({ index }) => `${file}:${lineOf(text, index)}: a recursive mkdir`);
    });
    return { problems, notes: [] };
  },
};
