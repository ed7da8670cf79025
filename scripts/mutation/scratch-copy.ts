import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plant, type Fault } from './faults.ts';

/** Copies the files of the project in `root` that Git does not ignore; packages and the build are linked. Removed at exit. */
export function makeScratchCopy(root: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-mutation-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
  });
  for (const file of listed.split('\0').filter((name) => name !== '' && existsSync(join(root, name)))) {
    cpSync(join(root, file), join(folder, file));
  }
  for (const linked of ['node_modules', 'out']) {
    if (existsSync(join(root, linked))) symlinkSync(join(root, linked), join(folder, linked), 'junction');
  }
  return folder;
}

/** Plants a fault in a copy of the project. The returned function restores the file. */
export function plantIn(folder: string, fault: Fault): () => void {
  const path = join(folder, fault.file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, plant(text, fault));
  return () => writeFileSync(path, text);
}
