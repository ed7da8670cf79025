import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { importsOf } from '../lib/imports-of.ts';

/** The entries of a packaged app, threads included; the command line has an entry of its own, which needs a plain Node. */
const entries = [
  'out/main/index.cjs',
  'out/main/core.cjs',
  'out/main/training-core.cjs',
  'out/main/report-worker.cjs',
  'out/main/bulk-worker.cjs',
];

export function reachedFiles(root: string): string[] {
  const reached = new Set<string>();
  const waiting = [...entries];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    for (const { specifier } of importsOf(file, readFileSync(posix.join(root, file), 'utf8'))) {
      if (specifier?.startsWith('.')) waiting.push(posix.join(posix.dirname(file), specifier));
    }
  }
  return [...reached].toSorted();
}

/**
 * Patterns for every file of a package whose main side reaches these files, in the words of electron-builder, which adds
 * package.json by itself and puts the architecture in. For packages under node_modules it heeds only patterns that exclude:
 * they leave nothing but better-sqlite3 with the one binary that this platform loads.
 */
export function packagedFiles(reached: readonly string[], platform: 'darwin' | 'linux' | 'win32'): string[] {
  return [
    ...reached,
    'out/main/demo-pictures/*.webp',
    'out/preload/*.cjs',
    'out/renderer/**',
    '!out/renderer/**/*.map',
    '!node_modules/!(better-sqlite3){,/**}',
    '!node_modules/better-sqlite3/!(lib|prebuilds|package.json|LICENSE){,/**}',
    `!node_modules/better-sqlite3/prebuilds/!(${platform}-\${arch}.node)`,
  ];
}
