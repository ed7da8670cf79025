import { importLevels, readModuleGraph, type ModuleGraph } from '../lib/module-graph.ts';
import type { Check } from './check.ts';

const gate = 'src/main/core/proposals';

const usualLevels = 8;
const sixLevels: readonly string[] = [gate, 'src/main/core/gateway', 'src/main/core/reports'];

/** Folders that are deeper than allowed today, with their levels. Lower the number when the folder gets flatter; never raise it. */
const deeperToday: Readonly<Record<string, number>> = {};

export const depthCheck: Check = {
  name: 'depth of imports',
  remedy:
    'Let a module import what it needs from below instead of through its neighbours, or merge two that follow each other.',
  run(root) {
    return {
      problems: depthProblems(levelsOfFolders(readModuleGraph(root, ['src'])), deeperToday),
      notes: [],
    };
  },
};

export function levelsOfFolders(sources: ModuleGraph): [folder: string, levels: number][] {
  const folders = new Set(
    [...sources.keys()].flatMap((file) => {
      const path = file.split('/').slice(0, -1);
      const depth = file.startsWith('src/main/core/') ? 4 : 3;
      if (path.length < depth) return [];
      const folder = path.slice(0, depth).join('/');
      return folder === gate ? [folder, path.slice(0, depth + 1).join('/')] : [folder];
    }),
  );
  return [...folders]
    .map((folder): [string, number] => [folder, importLevels(sources, folder)])
    .toSorted(([, left], [, right]) => right - left);
}

export function depthProblems(
  folders: readonly [folder: string, levels: number][],
  recorded: Readonly<Record<string, number>>,
): string[] {
  return folders.flatMap(([folder, levels]) => {
    const aim = sixLevels.includes(folder) ? 6 : usualLevels;
    const record = recorded[folder];
    const most = record ?? aim;
    if (levels > most) return [`${folder} has ${levels} levels of imports; at most ${most}`];
    if (record === undefined || levels === record) return [];
    return [
      levels > aim
        ? `${folder} has ${levels} levels of imports now: write ${levels} for ${record}`
        : `${folder} has ${levels} levels of imports now: take it out of the list`,
    ];
  });
}
