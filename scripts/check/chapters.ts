import { posix } from 'node:path';
import { importCycles, importersOf, readModuleGraph, type ModuleGraph } from '../lib/module-graph.ts';
import type { Check } from './check.ts';

const chapterLines = 60;

export const chaptersCheck: Check = {
  name: 'chapters',
  remedy:
    'Move a short module into the only neighbour that imports it; let a circle depend on what both need.',
  run(root) {
    const sources = readModuleGraph(root, ['src', 'scripts']);
    const circles = importCycles(sources).map(
      (files) => `these import each other in a circle: ${files.join(', ')}`,
    );
    const crumbs = crumbsOf(sources, readModuleGraph(root, ['test']));
    const refused = crumbs.map(
      ({ file, lines, reader }) => `${file} (${lines} lines) is read by ${posix.basename(reader)} alone`,
    );
    return { problems: [...circles, ...refused], notes: [] };
  },
};

export interface Crumb {
  file: string;
  lines: number;
  reader: string;
}

/** Modules that rule 4a moves into their only importer: short, imported once, from their own folder, without their own test. */
export function crumbsOf(sources: ModuleGraph, tests: ModuleGraph): Crumb[] {
  const importers = importersOf(sources);
  const tested = new Set([...tests.values()].flatMap(({ imports }) => imports));
  return [...sources.values()].flatMap(({ file, lines }) => {
    const [reader, ...others] = importers.get(file) ?? [];
    if (reader === undefined || others.length > 0 || lines >= chapterLines || tested.has(file)) return [];
    const isNeighbour =
      posix.dirname(reader) === posix.dirname(file) && posix.basename(reader) !== 'index.ts';
    return isNeighbour ? [{ file, lines, reader }] : [];
  });
}
