import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, linkSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from '../../../scripts/lib/run-tool.ts';

/**
 * Paths that the built app needs at run time. Excludes the database's sources and Node's headers, which are thousands of
 * files.
 */
const needed = [
  'package.json',
  'out',
  'node_modules/better-sqlite3/package.json',
  'node_modules/better-sqlite3/lib',
  'node_modules/better-sqlite3/prebuilds',
  'node_modules/better-sqlite3/build/Release/better_sqlite3.node',
];

/** The Node for a core in a process of plain Node. */
const nodePrograms = ['node_modules/node/bin/node', 'node_modules/node/bin/node.exe'];

/**
 * Copies the built app into `folder`, readable for everybody, because a checkout may be accessible for its owner only.
 * `extra` has more files and folders to copy: target path below the staged app → source path.
 */
export function stageApp(folder: string, extra: Record<string, string> = {}): void {
  const sourceOf = (path: string): string => join(projectRoot, path);
  const there = (path: string): boolean => existsSync(sourceOf(path));
  for (const path of needed.filter(there)) copyReadable(sourceOf(path), join(folder, path));
  for (const path of nodePrograms.filter(there)) linkReadable(sourceOf(path), join(folder, path));
  for (const [path, source] of Object.entries(extra)) copyReadable(source, join(folder, path));
}

/** Copies a file or a folder and makes it readable for everybody. */
export function copyReadable(source: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  cpSync(source, target, { recursive: true, dereference: true });
  // On Windows, a copy inherits the rights of its folder.
  if (process.platform !== 'win32') execFileSync('chmod', ['-R', 'a+rX', target]);
}

/**
 * Like {@link copyReadable} for a large program that is never written. Links it instead if everybody can run it and the
 * system allows the link.
 */
function linkReadable(source: string, target: string): void {
  const forEverybody = 0o005;
  if ((statSync(source).mode & forEverybody) !== forEverybody) return copyReadable(source, target);
  mkdirSync(dirname(target), { recursive: true });
  try {
    linkSync(source, target);
  } catch {
    copyReadable(source, target);
  }
}
