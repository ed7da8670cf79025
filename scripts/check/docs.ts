import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generatedDocs } from '../docs/generated-docs.ts';
import type { Check } from './check.ts';

export const docsCheck: Check = {
  name: 'generated docs',
  remedy: 'Run `npm run docs` and commit what it wrote.',
  async run(root) {
    const problems: string[] = [];
    for (const { path, text } of await generatedDocs()) {
      const written = await readFile(join(root, path), 'utf8').catch(() => null);
      if (written === null) problems.push(`${path}: missing`);
      else if (written !== text) problems.push(`${path}: differs from what the code says`);
    }
    return { problems, notes: [] };
  },
};
