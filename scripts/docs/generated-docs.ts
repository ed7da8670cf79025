import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { projectRoot } from '../lib/run-tool.ts';
import { errorsPage } from './errors-page.ts';
import { importsPage } from './imports-page.ts';
import { openApiDocument } from './openapi/document.ts';
import { withStates } from './states-section.ts';

/** A page or a document made from code. */
export interface GeneratedDoc {
  /** From the project's root. */
  path: string;
  /** Formatted, as it is written. */
  text: string;
}

/** Every page made from code, as it should be on disk. */
export async function generatedDocs(): Promise<GeneratedDoc[]> {
  const architecture = await readFile(join(projectRoot, 'docs/architecture.md'), 'utf8');
  const pages = [
    { path: 'docs/architecture.md', text: withStates(architecture) },
    { path: 'docs/errors.md', text: errorsPage() },
    { path: 'docs/imports.md', text: importsPage() },
    { path: 'docs/openapi.json', text: JSON.stringify(openApiDocument()) },
  ];
  return Promise.all(
    pages.map(async ({ path, text }) => {
      const options = await resolveConfig(join(projectRoot, path));
      const parser = path.endsWith('.json') ? 'json' : 'markdown';
      return { path, text: await format(text, { ...options, parser }) };
    }),
  );
}
