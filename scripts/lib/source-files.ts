import { readdirSync } from 'node:fs';
import { join, posix } from 'node:path';

const notOurs = new Set(['node_modules', 'out', 'dist', 'coverage', '.git', '.output']);

export function filesBelow(root: string, folder: string): string[] {
  return [...walk(root, folder)].toSorted();
}

export function sourcesBelow(root: string, folder: string): string[] {
  return filesBelow(root, folder).filter((file) => /\.tsx?$/.test(file));
}

function* walk(root: string, folder: string): Generator<string> {
  for (const entry of entriesOf(join(root, folder))) {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!notOurs.has(entry.name)) yield* walk(root, path);
    } else if (entry.isFile()) {
      yield path;
    }
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

export function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
