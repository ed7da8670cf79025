import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** The subpaths of the real package.json that planted sources may import. */
const manifest = {
  name: 'planted',
  version: '0.0.0',
  private: true,
  type: 'module',
  imports: {
    '#shared/*': './src/shared/*',
    '#core/*': './src/main/core/*',
    '#headless/*': './src/main/headless/*',
    '#renderer/*': './src/renderer/*',
  },
};

/** Writes files (path → text) into a project of their own and returns its root. The project is removed after the test. */
export function plantProject(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'countersign-planted-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));
  const all = { 'package.json': `${JSON.stringify(manifest, null, 2)}\n`, ...files };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}
