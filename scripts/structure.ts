/** `npm run structure`: prints the number and length of source files, and lists crumbs and import cycles. */
import { crumbsOf } from './check/chapters.ts';
import { levelsOfFolders } from './check/depth.ts';
import { importCycles, importersOf, readModuleGraph } from './lib/module-graph.ts';
import { projectRoot } from './lib/run-tool.ts';
import { textTable } from './lib/text-table.ts';

const sources = readModuleGraph(projectRoot, ['src']);
const lengths = [...sources.values()].map(({ lines }) => lines).toSorted((left, right) => left - right);
const importers = importersOf(sources);
const crumbs = crumbsOf(sources, readModuleGraph(projectRoot, ['test']));
const count = (matches: (lines: number) => boolean): number => lengths.filter(matches).length;

const rows: [string, number][] = [
  ['source files', lengths.length],
  ['lines', lengths.reduce((sum, lines) => sum + lines, 0)],
  ['median lines', lengths[Math.floor(lengths.length / 2)] ?? 0],
  ['files under 25 lines', count((lines) => lines < 25)],
  ['files over 400 lines', count((lines) => lines > 400)],
  ['modules with one importer', [...importers.values()].filter(({ length }) => length === 1).length],
  ['crumbs (rule 4a)', crumbs.length],
  ['import cycles', importCycles(sources).length],
];
for (const line of textTable(
  [['what', 'figure'], ...rows.map(([what, figure]) => [what, String(figure)])],
  [1],
)) {
  process.stdout.write(`${line}\n`);
}
process.stdout.write('\nfiles and lines by folder\n');
const folders = new Map<string, { files: number; lines: number }>();
for (const { file, lines } of sources.values()) {
  const folder =
    file
      .split('/')
      .slice(0, file.startsWith('src/main/') ? 4 : 3)
      .slice(0, -1)
      .join('/') || 'src';
  const sum = folders.get(folder) ?? { files: 0, lines: 0 };
  folders.set(folder, { files: sum.files + 1, lines: sum.lines + lines });
}
const byFiles = [...folders].toSorted(([, left], [, right]) => right.files - left.files);
for (const line of textTable(
  byFiles.map(([folder, { files, lines }]) => [folder, String(files), String(lines)]),
  [1, 2],
)) {
  process.stdout.write(`${line}\n`);
}

process.stdout.write('\nlevels of imports inside a folder, and inside the stages of the gate\n');
for (const line of textTable(
  levelsOfFolders(sources).map(([folder, levels]) => [folder, String(levels)]),
  [1],
)) {
  process.stdout.write(`${line}\n`);
}
