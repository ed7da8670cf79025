import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, linkSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from '../../../scripts/lib/run-tool.ts';

/** Paths that the built app needs at run time: no sources of the database, and no headers of Node, which are thousands of files. */
const needed = [
  'package.json',
  'out',
  'node_modules/better-sqlite3/package.json',
  'node_modules/better-sqlite3/lib',
  'node_modules/better-sqlite3/prebuilds',
  'node_modules/better-sqlite3/build/Release/better_sqlite3.node',
];

/** The Node that a core in a process of plain Node runs on. */
const nodePrograms = ['node_modules/node/bin/node', 'node_modules/node/bin/node.exe'];

/**
 * Copies the built app into `folder`, readable by everybody: a checkout may lie where only its owner can go.
 * `extra` names more files and folders: where they are, by where they go below the staged app.
 */
export function stageApp(folder: string, extra: Record<string, string> = {}): void {
  const sourceOf = (path: string): string => join(projectRoot, path);
  const there = (path: string): boolean => existsSync(sourceOf(path));
  for (const path of needed.filter(there)) copyReadable(sourceOf(path), join(folder, path));
  for (const path of nodePrograms.filter(there)) linkReadable(sourceOf(path), join(folder, path));
  for (const [path, source] of Object.entries(extra)) copyReadable(source, join(folder, path));
}

/** Copies a file or a folder and lets everybody read it. */
export function copyReadable(source: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  cpSync(source, target, { recursive: true, dereference: true });
  // Windows hands the rights of a folder on to what is put into it.
  if (process.platform !== 'win32') execFileSync('chmod', ['-R', 'a+rX', target]);
}

/** The same for a large program that nobody writes to: no copy where everybody can run it and the system links it. */
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
