import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type ImportSite, importsOf } from '../lib/imports-of.ts';
import { sourcesBelow } from '../lib/source-files.ts';
import type { Check } from './check.ts';
import { type ImportRow, importTable } from './import-table.ts';
import { resolveImport, subpathOf, type Subpaths } from './resolve-import.ts';

export const importsCheck: Check = {
  name: 'import table',
  remedy: 'Move the code to where it may live, or import the place that the message names.',
  run(root) {
    const subpaths = readSubpaths(root);
    const problems = sourcesBelow(root, 'src').flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      return importsOf(file, text).flatMap((site) => {
        const problem = judge({ root, file, subpaths }, site);
        return problem === null ? [] : [`${file}:${site.line}: ${problem}`];
      });
    });
    return { problems, notes: [] };
  },
};

/** Refuses permissions of the import table that no source uses, because they would allow an unintended import. */
export const permissionsCheck: Check = {
  name: 'import permissions',
  remedy: 'Take the permission out of scripts/check/import-table.ts, and run `npm run docs`.',
  run(root) {
    const subpaths = readSubpaths(root);
    const unused = new Map<ImportRow, Set<string>>();
    for (const file of sourcesBelow(root, 'src')) {
      const found = findRow(importTable, file);
      if (found === null) continue;
      const { row, place } = found;
      const left = unused.get(row) ?? new Set([...row.ours, ...row.packages]);
      unused.set(row, left);
      for (const { specifier } of importsOf(file, readFileSync(join(root, file), 'utf8'))) {
        if (specifier === null) continue;
        const target = resolveImport(file, specifier, subpaths);
        for (const entry of left) if (isUsedBy(target, { entry, place })) left.delete(entry);
      }
    }
    const problems = [...unused].flatMap(([row, left]) =>
      [...left].map((entry) => `${row.place} imports nothing from ${entry}`),
    );
    return { problems, notes: [] };
  },
};

function isUsedBy(
  target: ReturnType<typeof resolveImport>,
  { entry, place }: { entry: string; place: string },
): boolean {
  if (target.kind === 'package') return allowsPackage(entry, target.specifier);
  return isWithin(target.file, entry) && !isWithin(target.file, place);
}

/** `index.ts` files that start a process. They are not the public file of their folder, so its other modules may be imported. */
const processEntries = ['src/main/index.ts', 'src/main/core/index.ts', 'src/main/headless/index.ts'];

/** `index.ts` files that only some pages or parts load. An outer `index.ts` must not re-export them, or everything would load them. */
const laterFronts = [
  'src/renderer/ui/chart/index.ts',
  'src/renderer/ui/report/index.ts',
  'src/shared/training/corpus/index.ts',
  'src/shared/training/lessons/index.ts',
  'src/shared/training/plan/index.ts',
  'src/shared/training/result/index.ts',
];

const loadsMadeFile = ['src/renderer/features/about/stores/about-store.ts'];

interface Importer {
  root: string;
  file: string;
  subpaths: Subpaths;
}

function judge(importer: Importer, { specifier, passesAllOn }: ImportSite): string | null {
  if (passesAllOn) return '`export *` hides what a folder offers; list the names';
  if (specifier === null) {
    if (loadsMadeFile.includes(importer.file)) return null;
    return 'a computed import() cannot be checked; name the module in a plain string';
  }
  if (specifier.startsWith('../../..')) {
    const target = resolveImport(importer.file, specifier, {});
    const better = target.kind === 'ours' ? subpathOf(target.file, importer.subpaths) : specifier;
    return `\`${specifier}\` climbs too far; write \`${better}\``;
  }
  const found = findRow(importTable, importer.file);
  if (found === null) return 'this file stands in no folder of the import table; move it into one';
  const target = resolveImport(importer.file, specifier, importer.subpaths);
  if (target.kind === 'package') return judgePackage(found, target.specifier);
  return judgePlace(found, target.file) ?? judgeFront(importer, target.file);
}

function judgePackage({ row, place }: { row: ImportRow; place: string }, specifier: string): string | null {
  if (row.packages.some((entry) => allowsPackage(entry, specifier))) return null;
  const homes = importTable
    .filter((other) => other.packages.some((entry) => allowsPackage(entry, specifier)))
    .map((other) => other.place);
  const where =
    homes.length > 0 ? `only ${homes.join(', ')} may` : 'no folder may; the table does not know it';
  return `${place} may not import the package \`${specifier}\`: ${where}`;
}

function judgePlace({ row, place }: { row: ImportRow; place: string }, target: string): string | null {
  if (isWithin(target, place) || row.ours.some((allowed) => isWithin(target, allowed))) return null;
  const may =
    row.ours.length > 0 ? `of ours it may import ${row.ours.join(', ')}` : 'of ours it may import nothing';
  return `${place} may not import ${target}: ${may}`;
}

/**
 * Requires imports to use the `index.ts` of the outermost folder that contains the target but not the importer. Checks only
 * source files, because other files cannot be re-exported.
 */
function judgeFront({ root, file, subpaths }: Importer, target: string): string | null {
  if (!/\.tsx?$/.test(target)) return null;
  if (laterFronts.includes(target)) return judgeLater(file, posix.dirname(target));
  const folders = target.split('/').slice(0, -1);
  for (let depth = 1; depth <= folders.length; depth += 1) {
    const folder = folders.slice(0, depth).join('/');
    const front = posix.join(folder, 'index.ts');
    if (isWithin(file, folder) || processEntries.includes(front) || !existsSync(join(root, front))) continue;
    if (target === front) return null;
    return `${target} is behind ${front}; import \`${subpathOf(front, subpaths)}\``;
  }
  return null;
}

function judgeLater(file: string, folder: string): string | null {
  if (isWithin(file, folder) || !isWithin(file, posix.dirname(folder))) return null;
  return `${folder} loads with a later page; only features import it`;
}

function readSubpaths(root: string): Subpaths {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { imports?: Subpaths };
  return manifest.imports ?? {};
}

function findRow(table: readonly ImportRow[], file: string): { row: ImportRow; place: string } | null {
  let found: { row: ImportRow; place: string } | null = null;
  for (const row of table) {
    const place = placeOf(row, file);
    if (place !== null && (found === null || place.length > found.place.length)) found = { row, place };
  }
  return found;
}

function placeOf(row: ImportRow, file: string): string | null {
  const names = file.split('/');
  const wanted = row.place.split('/');
  const isHere = wanted.every(
    (name, index) => name === names[index] || (name === '*' && index < names.length),
  );
  return isHere ? names.slice(0, wanted.length).join('/') : null;
}

function isWithin(file: string, place: string): boolean {
  return file === place || file.startsWith(`${place}/`);
}

function allowsPackage(entry: string, specifier: string): boolean {
  if (entry === 'node:*') return specifier.startsWith('node:');
  if (entry.endsWith('/*')) return specifier.startsWith(entry.slice(0, -1));
  return specifier === entry || specifier.startsWith(`${entry}/`);
}
