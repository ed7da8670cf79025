import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plant, type Fault } from './faults.ts';
import { importersOf, readModuleGraph } from '../lib/module-graph.ts';

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

export function plantIn(folder: string, fault: Fault): () => void {
  const path = join(folder, fault.file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, plant(text, fault));
  return () => writeFileSync(path, text);
}

const everyday = /^test\/(shared|system|core|electron|renderer|headless)\/.*(?<!\.soak)\.test\.tsx?$/;

/**
 * Finds the test files that import a source file directly or indirectly, as `vitest related` does, nearest first: by similarity
 * of the path, then by number of imports between.
 */
export function readReachingTests(root: string): (source: string) => string[] {
  const importers = importersOf(readModuleGraph(root, ['src', 'test', 'scripts']));
  return (source) => {
    // A Set is iterated in insertion order even while it grows, so nearer importers come first.
    const reached = new Set([source]);
    for (const file of reached) for (const importer of importers.get(file) ?? []) reached.add(importer);
    const words = wordsOf(source);
    const likeness = (file: string) => [...wordsOf(file)].filter((word) => words.has(word)).length;
    return [...reached].filter((file) => everyday.test(file)).toSorted((a, b) => likeness(b) - likeness(a));
  };
}

function wordsOf(path: string): Set<string> {
  return new Set(
    path
      .replace(/^(src\/(main\/)?|test\/)/, '')
      .replace(/(\.test)?\.tsx?$/, '')
      .split(/[/-]/),
  );
}
