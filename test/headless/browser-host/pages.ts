import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes a folder with the files of a build: two pages, and a script with a hash in its name. The caller removes it. */
export function makePages(): string {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-pages-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<html><title>app</title>');
  writeFileSync(join(folder, 'confirm.html'), '<html><title>confirm</title>');
  writeFileSync(join(folder, 'assets', 'main-1a2b.js'), 'export {};');
  return folder;
}
