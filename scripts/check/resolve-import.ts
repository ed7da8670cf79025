import { posix } from 'node:path';

export type ImportTarget = { kind: 'ours'; file: string } | { kind: 'package'; specifier: string };

export type Subpaths = Record<string, string>;

export function resolveImport(file: string, specifier: string, subpaths: Subpaths): ImportTarget {
  const [path = specifier] = specifier.split('?');
  if (path.startsWith('.')) {
    return { kind: 'ours', file: posix.normalize(posix.join(posix.dirname(file), path)) };
  }
  for (const [pattern, target] of Object.entries(subpaths)) {
    const prefix = pattern.replace(/\*$/, '');
    if (path.startsWith(prefix)) {
      return { kind: 'ours', file: posix.normalize(target.replace(/\*$/, path.slice(prefix.length))) };
    }
  }
  return { kind: 'package', specifier: path };
}

export function subpathOf(file: string, subpaths: Subpaths): string {
  for (const [pattern, target] of Object.entries(subpaths)) {
    const folder = posix.normalize(target.replace(/\*$/, ''));
    if (file.startsWith(folder)) return pattern.replace(/\*$/, file.slice(folder.length));
  }
  return file;
}
