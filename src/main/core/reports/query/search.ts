import type { ReportQuery } from '#shared/app-api/index.ts';
import { foldedText } from '#shared/lib/folded-text.ts';
import { valueLabel } from '#shared/reports/index.ts';
import { type Dataset, parts } from './dataset.ts';
import type { Dimension } from './dimension.ts';
import { noGroup } from './group-sums.ts';
import { codeOfGroup, type Level } from './level.ts';
import { rowClass, type RowClasses } from './row-classes.ts';

/** For each level of a question, the labels that contain its search text; null without one. */
export type SearchMatches = readonly { dimension: Dimension; flags: Uint8Array }[] | null;

/** Dimensions whose values pages write otherwise than the service: a day with its weekday, a country with its name. */
const namedDimensions: ReadonlySet<string> = new Set(['date', 'geo']);

/**
 * Finds the labels of each level that contain the search text, whatever their case, as the service or as pages write them. A missing
 * value matches nothing.
 */
export function searchMatches(
  dataset: Dataset,
  { search, levels }: Pick<ReportQuery, 'search' | 'levels'>,
): SearchMatches {
  if (search === '') return null;
  const wanted = foldedText(search);
  const contains = (text: string): boolean => foldedText(text).includes(wanted);
  return levels.map((id) =>
    dataset.keep(JSON.stringify(['search', id, wanted]), () => {
      const dimension = dataset.dimension(id);
      const isNamed = namedDimensions.has(id);
      const flags = dimension.flags(
        (label) => label !== null && (contains(label) || (isNamed && contains(valueLabel(id, label)))),
      );
      return { value: { dimension, flags }, bytes: flags.length };
    }),
  );
}

/**
 * For each group of a level, 1 if its own value or one above it matches, or that of a row below it on any deeper level: if a row of it has a
 * match anywhere in its path. Null without a search text.
 */
export function visibleGroups(level: Level, matches: SearchMatches, classes: RowClasses): Uint8Array | null {
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
