import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resolveImport, type Subpaths } from '../check/resolve-import.ts';
import { importsOf } from './imports-of.ts';
import { sourcesBelow } from './source-files.ts';

export interface Module {
  file: string;
  lines: number;
  imports: readonly string[];
}

export type ModuleGraph = ReadonlyMap<string, Module>;

export function readModuleGraph(root: string, folders: readonly string[]): ModuleGraph {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { imports?: Subpaths };
  const graph = new Map<string, Module>();
  for (const file of folders.flatMap((folder) => sourcesBelow(root, folder))) {
    const text = readFileSync(join(root, file), 'utf8');
    const targets = importsOf(file, text).flatMap(({ specifier }) => {
      if (specifier === null) return [];
      const target = resolveImport(file, specifier, manifest.imports ?? {});
      return target.kind === 'ours' && /\.tsx?$/.test(target.file) ? [target.file] : [];
    });
    graph.set(file, { file, lines: text.trimEnd().split('\n').length, imports: [...new Set(targets)] });
  }
  return graph;
}

export function importersOf(graph: ModuleGraph): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  for (const { file, imports } of graph.values()) {
    for (const target of imports) importers.set(target, [...(importers.get(target) ?? []), file]);
  }
  return importers;
}

export function importCycles(graph: ModuleGraph): string[][] {
  const cycles: string[][] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];

  function visit(file: string): void {
    order.set(file, order.size);
    lowest.set(file, order.get(file) ?? 0);
    open.push(file);
    for (const target of graph.get(file)?.imports ?? []) {
      if (!graph.has(target)) continue;
      if (!order.has(target)) visit(target);
      if (open.includes(target)) {
        lowest.set(file, Math.min(lowest.get(file) ?? 0, lowest.get(target) ?? 0));
      }
    }
    if (lowest.get(file) !== order.get(file)) return;
    const circle = open.splice(open.indexOf(file));
    if (circle.length > 1) cycles.push(circle.toSorted());
  }

  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return cycles;
}

/** The longest chain of imports inside a folder, in files (house style 4b). The graph must have no cycles. */
export function importLevels(graph: ModuleGraph, folder: string): number {
  const levels = new Map<string, number>();

  function levelOf(file: string): number {
    const known = levels.get(file);
    if (known !== undefined) return known;
    levels.set(file, 1);
    const inside = (graph.get(file)?.imports ?? []).filter((target) => isInside(graph, target, folder));
    const level = 1 + Math.max(0, ...inside.map(levelOf));
    levels.set(file, level);
    return level;
  }

  const files = [...graph.keys()].filter((file) => isInside(graph, file, folder));
  return Math.max(0, ...files.map(levelOf));
}

function isInside(graph: ModuleGraph, file: string, folder: string): boolean {
  return graph.has(file) && file.startsWith(`${folder}/`);
}
