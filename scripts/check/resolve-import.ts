import { posix } from 'node:path';

/** Where an import leads: a file of ours, as a path from the root, or a package. */
export type ImportTarget = { kind: 'ours'; file: string } | { kind: 'package'; specifier: string };

/** The `imports` of package.json, for example `{ '#shared/*': './src/shared/*' }`. */
export type Subpaths = Record<string, string>;

/** Follows a specifier from the file that names it. Queries such as `?url` are no part of a path. */
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

/** The subpath form of a file of ours, for example `#shared/campaign/index.ts`; its own path where there is none. */
export function subpathOf(file: string, subpaths: Subpaths): string {
  for (const [pattern, target] of Object.entries(subpaths)) {
    const folder = posix.normalize(target.replace(/\*$/, ''));
    if (file.startsWith(folder)) return pattern.replace(/\*$/, file.slice(folder.length));
  }
  return file;
}
