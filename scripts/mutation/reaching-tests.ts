import { importersOf, readModuleGraph } from '../lib/module-graph.ts';

/** Folders of the projects pure, core and host; at the commits before these projects, of `unit` and most of `host`. */
const everyday = /^test\/(shared|system|core|electron|renderer|headless)\/.*(?<!\.soak)\.test\.tsx?$/;
const anyTest = /^test\/.*(?<!\.soak)\.test\.tsx?$/;

/**
 * Finds the test files that import a source file, directly or through others, as `vitest related` does, nearest first: those whose
 * path is most like the file's, then those with the fewest imports between. With `all`, also those of the slow projects.
 */
export function readReachingTests(root: string, all: boolean): (source: string) => string[] {
  const importers = importersOf(readModuleGraph(root, ['src', 'test', 'scripts']));
  const wanted = all ? anyTest : everyday;
  return (source) => {
    // A set is read in the order of its entries while it grows, so that nearer importers come first.
    const reached = new Set([source]);
    for (const file of reached) for (const importer of importers.get(file) ?? []) reached.add(importer);
    const words = wordsOf(source);
    const likeness = (file: string) => [...wordsOf(file)].filter((word) => words.has(word)).length;
    return [...reached].filter((file) => wanted.test(file)).toSorted((a, b) => likeness(b) - likeness(a));
  };
}

/** The words of a path, without those of every source and every test. */
function wordsOf(path: string): Set<string> {
  return new Set(
    path
      .replace(/^(src\/(main\/)?|test\/)/, '')
      .replace(/(\.test)?\.tsx?$/, '')
      .split(/[/-]/),
  );
}
