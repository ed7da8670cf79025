import { expect, test } from 'vitest';
import { crumbsOf } from '../../../scripts/check/chapters.ts';
import { depthProblems, levelsOfFolders } from '../../../scripts/check/depth.ts';
import { importCycles, importLevels, readModuleGraph } from '../../../scripts/lib/module-graph.ts';
import { plantProject } from './planted-project.ts';

const lines = (count: number) => 'export const line = 1;\n'.repeat(count);

test('a module with one importer in its folder has to be merged, unless it is long, tested, shared or exported by an index', () => {
  const root = plantProject({
    'src/a/reader.ts':
      "import './crumb.ts';\nimport './long.ts';\nimport './tested.ts';\nimport './shared.ts';\nimport '../b/far.ts';\n",
    'src/a/crumb.ts': lines(59),
    'src/a/long.ts': lines(60),
    'src/a/tested.ts': lines(3),
    'src/a/shared.ts': lines(3),
    'src/a/other.ts': "import type { X } from './shared.ts';\n",
    'src/b/far.ts': lines(3),
    'src/b/index.ts': "export { line } from './only.ts';\n",
    'src/b/only.ts': lines(3),
    'test/a.test.ts': "import '../src/a/tested.ts';\n",
  });
  const crumbs = crumbsOf(readModuleGraph(root, ['src']), readModuleGraph(root, ['test']));
  expect(crumbs).toEqual([{ file: 'src/a/crumb.ts', lines: 59, reader: 'src/a/reader.ts' }]);
});

test('files of an import cycle are named together, even if it contains types or a third file', () => {
  const root = plantProject({
    'src/a.ts': "import './b.ts';\n",
    'src/b.ts': "import type { C } from '#shared/c.ts';\n",
    'src/shared/c.ts': "import '../a.ts';\n",
    'src/d.ts': "import './a.ts';\nimport './d-only.ts';\n",
    'src/d-only.ts': '',
  });
  expect(importCycles(readModuleGraph(root, ['src']))).toEqual([['src/a.ts', 'src/b.ts', 'src/shared/c.ts']]);
});

test('the depth of a folder is its longest chain of imports inside the folder, including types', () => {
  const root = plantProject({
    'src/room/index.ts': "import './middle.ts';\nimport './low.ts';\n",
    'src/room/middle.ts': "import type { Low } from './stage/low.ts';\n",
    'src/room/stage/low.ts': "import '../../other/far.ts';\n",
    'src/room/low.ts': '',
    'src/other/far.ts': "import './farther.ts';\n",
    'src/other/farther.ts': '',
  });
  const graph = readModuleGraph(root, ['src']);
  expect(importLevels(graph, 'src/room')).toBe(3);
  expect(importLevels(graph, 'src/other')).toBe(2);
});

test('each folder of a process or layer, and each stage of the gate, has its own depth', () => {
  const root = plantProject({
    'src/main/index.ts': "import './electron/index.ts';\n",
    'src/main/electron/index.ts': "import './windows/frame.ts';\n",
    'src/main/electron/windows/frame.ts': '',
    'src/main/core/proposals/gate.ts': "import './undo/undo.ts';\n",
    'src/main/core/proposals/undo/undo.ts': "import './rows.ts';\n",
    'src/main/core/proposals/undo/rows.ts': '',
  });
  expect(levelsOfFolders(readModuleGraph(root, ['src']))).toEqual([
    ['src/main/core/proposals', 3],
    ['src/main/core/proposals/undo', 2],
    ['src/main/electron', 2],
  ]);
});

test.each([
  ['src/main/headless', 8, {}, []],
  ['src/main/headless', 9, {}, ['src/main/headless has 9 levels of imports; at most 8']],
  ['src/main/core/reports', 7, {}, ['src/main/core/reports has 7 levels of imports; at most 6']],
  ['src/main/headless', 9, { 'src/main/headless': 9 }, []],
  [
    'src/main/headless',
    10,
    { 'src/main/headless': 9 },
    ['src/main/headless has 10 levels of imports; at most 9'],
  ],
  [
    'src/main/headless',
    9,
    { 'src/main/headless': 10 },
    ['src/main/headless has 9 levels of imports now: write 9 for 10'],
  ],
  [
    'src/main/headless',
    8,
    { 'src/main/headless': 10 },
    ['src/main/headless has 8 levels of imports now: take it out of the list'],
  ],
])('%s with a depth of %i and a recorded depth of %j reports %j', (folder, levels, recorded, problems) => {
  expect(depthProblems([[folder, levels]], recorded)).toEqual(problems);
});
