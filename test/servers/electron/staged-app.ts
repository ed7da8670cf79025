import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from '../../../scripts/lib/run-tool.ts';

/** Paths that the built app needs at run time; the Node is the one that a core in a process of plain Node runs on. */
const needed = ['package.json', 'out', 'node_modules/better-sqlite3', 'node_modules/node'];

/**
 * Copies the built app into `folder`, readable by everybody: a checkout may lie where only its owner can go.
 * `extra` names more files and folders: where they are, by where they go below the staged app.
 */
export function stageApp(folder: string, extra: Record<string, string> = {}): void {
  for (const path of needed) {
    const source = join(projectRoot, path);
    if (existsSync(source)) copyReadable(source, join(folder, path));
  }
  for (const [path, source] of Object.entries(extra)) copyReadable(source, join(folder, path));
}

/** Copies a file or a folder and lets everybody read it. */
export function copyReadable(source: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  cpSync(source, target, { recursive: true, dereference: true });
  // Windows hands the rights of a folder on to what is put into it.
  if (process.platform !== 'win32') execFileSync('chmod', ['-R', 'a+rX', target]);
}
