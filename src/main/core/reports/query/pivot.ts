import type { ReportQuery } from '#shared/app-api/index.ts';
import { type Dataset, rowClass, type RowClasses } from './dataset.ts';
import { codeOfGroup, type Level, levelOf, type Ordering, shownClass, noGroup } from './level.ts';
import type { GroupPath } from '../worker/messages.ts';
import { foldedText } from '#shared/lib/folded-text.ts';
import { valueLabel } from '#shared/reports/index.ts';
import { type Dimension, parts } from './dimension.ts';

type SearchMatches = readonly { dimension: Dimension; flags: Uint8Array }[] | null;

const namedDimensions: ReadonlySet<string> = new Set(['date', 'geo']);

/** Matches case-insensitively; for dates and countries also the displayed label. A missing value never matches. */
function searchMatches(
  dataset: Dataset,
  { search, levels }: Pick<ReportQuery, 'search' | 'levels'>,
): SearchMatches {
  if (search === '') return null;
  const wanted = foldedText(search);
  const contains = (text: string): boolean => foldedText(text).includes(wanted);
  return levels.map((id) =>
    dataset.getOrCompute(JSON.stringify(['search', id, wanted]), () => {
      const dimension = dataset.dimension(id);
      const isNamed = namedDimensions.has(id);
      const flags = dimension.flags(
        (label) => label !== null && (contains(label) || (isNamed && contains(valueLabel(id, label)))),
      );
      return { value: { dimension, flags }, bytes: flags.length };
    }),
  );
}

/** Contains `1` for a group if any label on the path of one of its rows matches; null without a search. */
function visibleGroups(level: Level, matches: SearchMatches, classes: RowClasses): Uint8Array | null {
  if (matches === null) return null;
  const visible = new Uint8Array(level.groupCount);
  for (const { dimension, flags } of matches) {
    if (!flags.includes(1)) continue;
    if (dimension === level.dimension) markGroups(visible, level, flags);
    else
      for (const part of parts)
        markByRows(visible, level.groupOf[part], {
          codes: dimension.codes[part],
          flags,
          classes: classes.of[part],
        });
  }
  return visible;
}

function markGroups(visible: Uint8Array, level: Level, flags: Uint8Array): void {
  for (let group = 0; group < visible.length; group += 1)
    if (flags[codeOfGroup(level, group)] === 1) visible[group] = 1;
}

function markByRows(
  visible: Uint8Array,
  groupOf: Uint32Array,
  { codes, flags, classes }: { codes: Uint32Array; flags: Uint8Array; classes: Uint8Array | null },
): void {
  for (let row = 0; row < groupOf.length; row += 1) {
    if (flags[codes[row] as number] === 0 || classes?.[row] === rowClass.out) continue;
    const group = groupOf[row] as number;
    if (group !== noGroup) visible[group] = 1;
  }
}

export interface PivotRow {
  level: Level;
  group: number;
  path: GroupPath;
  expandable: boolean;
  expanded: boolean;
}

interface PivotRequest {
  query: Pick<ReportQuery, 'levels' | 'search' | 'sort'>;
  expanded: readonly GroupPath[];
  classes: RowClasses;
  ordering: Ordering;
}

/** Sorted groups by their parent; `top` is the parent at the outermost level. */
interface ListedLevel {
  level: Level;
  lists: ReadonlyMap<number, Uint32Array>;
  excludedCount: number;
  expanded: ReadonlyMap<string, number>;
}

const top = -1;

/**
 * A pivot as a list: children follow their expanded row, and only children of expanded rows are computed. A search lists a row if
 * the row, a row above or a row below matches.
 */
export class Pivot {
  readonly rowCount: number;
  readonly excludedCount: number;
  readonly #levels: ListedLevel[] = [];
  readonly #depth: number;

  constructor(dataset: Dataset, question: PivotRequest) {
    const { levels } = question.query;
    this.#depth = levels.length;
    const matches = searchMatches(dataset, question.query);
    for (const depth of levels.keys()) {
      const above = this.#levels.at(-1);
      if (above !== undefined && above.expanded.size === 0) break;
      this.#levels.push(listLevel(dataset, question, { depth, above: above ?? null, matches }));
    }
    const lists = this.#levels.flatMap(({ lists }) => [...lists.values()]);
    this.rowCount = lists.reduce((sum, groups) => sum + groups.length, 0);
    this.excludedCount = this.#levels.reduce((sum, { excludedCount }) => sum + excludedCount, 0);
  }

  get outermost(): Level | undefined {
    return this.#levels[0]?.level;
  }

  rows(offset: number, limit: number): PivotRow[] {
    const rows: PivotRow[] = [];
    this.#collect(rows, { depth: 0, parent: top, path: [], skip: offset, limit });
    return rows;
  }

  #collect(
    rows: PivotRow[],
    {
      depth,
      parent,
      path,
      skip,
      limit,
    }: { depth: number; parent: number; path: GroupPath; skip: number; limit: number },
  ): number {
    const own = this.#levels[depth];
    const inner = this.#levels[depth + 1];
    let toSkip = skip;
    for (const group of own?.lists.get(parent) ?? []) {
      if (rows.length === limit || own === undefined) break;
      const expanded = inner?.lists.has(group) ?? false;
      if (toSkip > 0 && !expanded) {
        toSkip -= 1;
        continue;
      }
      const ownPath = [...path, labelOf(own.level, group)];
      if (toSkip > 0) toSkip -= 1;
      else
        rows.push({ level: own.level, group, path: ownPath, expandable: depth + 1 < this.#depth, expanded });
      if (expanded)
        toSkip = this.#collect(rows, { depth: depth + 1, parent: group, path: ownPath, skip: toSkip, limit });
    }
    return toSkip;
  }
}

function labelOf(level: Level, group: number): string | null {
  return level.dimension.labels[codeOfGroup(level, group)] ?? null;
}

function listLevel(
  dataset: Dataset,
  { query, expanded, classes, ordering }: PivotRequest,
  { depth, above, matches }: { depth: number; above: ListedLevel | null; matches: SearchMatches },
): ListedLevel {
  const dimension = query.levels[depth] ?? '';
  const parents = above === null ? [] : [...above.expanded.values()];
  const level = levelOf(dataset, {
    dimension,
    classes,
    byDate: query.levels.slice(0, depth + 1).includes('date'),
    above: above === null ? null : { level: above.level, expanded: parents },
  });
  const key = JSON.stringify(['list', level.key, query.search, query.levels, query.sort]);
  const { lists, excludedCount } = dataset.getOrCompute(key, () => {
    const visible = visibleGroups(level, matches, classes);
    const { current, compared } = level.groups;
    const isListed = (group: number) =>
      visible?.[group] !== 0 &&
      (current.status[group] !== rowClass.out || compared.status[group] !== rowClass.out);
    const made = new Map<number, Uint32Array>();
    if (level.within === null)
      made.set(
        top,
        ordering(level, Uint32Array.from({ length: level.groupCount }, (_, group) => group).filter(isListed)),
      );
    for (const [slot, groups] of level.within?.children.entries() ?? [])
      made.set(parents[slot] ?? top, ordering(level, groups.filter(isListed)));
    const isExcluded = (group: number) => shownClass(level, group) === rowClass.excluded;
    let excludedCount = 0;
    for (const groups of made.values()) excludedCount += groups.filter(isExcluded).length;
    return { value: { lists: made, excludedCount }, bytes: 4 * level.groupCount };
  });
  const paths = expanded.filter((path) => path.length === depth + 1 && depth + 1 < query.levels.length);
  return { level, lists, excludedCount, expanded: expandedGroups({ level, lists }, paths, above) };
}

function expandedGroups(
  { level, lists }: Pick<ListedLevel, 'level' | 'lists'>,
  paths: readonly GroupPath[],
  above: ListedLevel | null,
): Map<string, number> {
  const found = new Map<string, number>();
  const codes = level.dimension.codesOf(new Set(paths.map((path) => path.at(-1) ?? null)));
  const groupsOf = new Map<number, Map<number, number>>();
  for (const path of paths) {
    const parent = above === null ? top : above.expanded.get(JSON.stringify(path.slice(0, -1)));
    const code = codes.get(path.at(-1) ?? null);
    if (parent === undefined || code === undefined) continue;
    let byCode = groupsOf.get(parent);
    if (byCode === undefined) {
      byCode = new Map(Array.from(lists.get(parent) ?? [], (group) => [codeOfGroup(level, group), group]));
      groupsOf.set(parent, byCode);
    }
    const group = byCode.get(code);
    if (group !== undefined) found.set(JSON.stringify(path), group);
  }
  return found;
}
