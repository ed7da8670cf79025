import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { importsOf } from '../lib/imports-of.ts';

/** Entry files of a packaged app, including threads. The command line is not packaged, because it needs plain Node. */
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
 * Patterns of electron-builder for the files of a package whose main process reaches `reached`. electron-builder adds
 * package.json itself and inserts the architecture. For packages in node_modules it only applies exclusions, which leave only
 * better-sqlite3 with the binary that this platform loads.
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
