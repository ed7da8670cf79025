/** `npm run docs`: writes the generated pages. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generatedDocs } from './docs/generated-docs.ts';
import { projectRoot } from './lib/run-tool.ts';

for (const { path, text } of await generatedDocs()) {
  await writeFile(join(projectRoot, path), text);
  process.stdout.write(`wrote ${path}\n`);
}
