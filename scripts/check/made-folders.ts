import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lineOf, sourcesBelow } from '../lib/source-files.ts';
import type { Check } from './check.ts';

const recursiveCall = /\bmkdir(?:Sync)?\([^;]*?\brecursive\b/gu;

/** Node's recursive `mkdir` never returns if a folder exists but nothing can be created in it. */
export const madeFoldersCheck: Check = {
  name: 'made folders',
  remedy: 'Use makeFolder of src/main/system/replace-file.ts.',
  run(root) {
    const problems = sourcesBelow(root, 'src').flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const calls = [...text.matchAll(recursiveCall)];
      return calls.map(({ index }) => `${file}:${lineOf(text, index)}: a recursive mkdir`);
    });
    return { problems, notes: [] };
  },
};
