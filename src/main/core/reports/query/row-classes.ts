import type { ReportExclusion, ReportQuery, ReportValue } from '#shared/app-api/index.ts';
import { type Dataset, rowClass, type RowClasses } from './dataset.ts';
import { type DatasetPart, parts } from './dimension.ts';

/**
 * Assigns a class to each row. A row matches the filters if it has a wanted value in each filtered dimension; an exclusion
 * applies to a row with all of its values. Compared rows are classified by their corresponding day.
 */
export function rowClasses(
  dataset: Dataset,
  query: Pick<ReportQuery, 'only' | 'excluded' | 'includeToday'>,
  incompleteDay: string | null,
): RowClasses {
  const skippedDay = query.includeToday ? null : incompleteDay;
  const key = JSON.stringify([query.only, query.excluded, skippedDay]);
  if (query.only.length === 0 && query.excluded.length === 0 && skippedDay === null)
    return { key, of: { current: null, compared: null } };
  return dataset.getOrCompute(`classes ${key}`, () => {
    const of = {
      current: createClasses(dataset.rowCounts.current),
      compared: createClasses(dataset.rowCounts.compared),
    };
    for (const [id, wanted] of valuesByDimension(query.only)) {
      const { codes, flags } = flagValues(dataset, id, wanted);
      for (const part of parts) mark(of[part], codes[part], { flags, when: 0, as: rowClass.out });
    }
    if (skippedDay !== null) {
      const { codes, flags } = flagValues(dataset, 'date', new Set([skippedDay]));
      for (const part of parts) mark(of[part], codes[part], { flags, when: 1, as: rowClass.incomplete });
    }
    for (const exclusions of Map.groupBy(query.excluded, dimensionKeyOf).values()) {
      const steps = buildTrieLevels(dataset, exclusions);
      for (const part of parts) markExcluded(of[part], steps, part);
    }
    return { value: { key, of }, bytes: of.current.length + of.compared.length };
  });
}

const createClasses = (rowCount: number) => new Uint8Array(rowCount).fill(rowClass.counted);

function valuesByDimension(values: readonly ReportValue[]): Map<string, Set<string | null>> {
  const byDimension = new Map<string, Set<string | null>>();
  for (const { dimension, value } of values) {
    const existing = byDimension.get(dimension);
    if (existing === undefined) byDimension.set(dimension, new Set([value]));
    else existing.add(value);
  }
  return byDimension;
}

function flagValues(dataset: Dataset, id: string, values: ReadonlySet<string | null>) {
  const dimension = dataset.dimension(id);
  return { codes: dimension.codes, flags: dimension.flags((label) => values.has(label)) };
}

const dimensionKeyOf = (exclusion: ReportExclusion): string =>
  JSON.stringify(exclusion.map(({ dimension }) => dimension));

interface ExclusionTrieLevel {
  codes: Readonly<Record<DatasetPart, Uint32Array>>;
  places: Uint32Array;
  width: number;
  /** Child node at `node × width + place`; 0 if there is none. */
  next: Uint32Array;
}

const root = 1;

function buildTrieLevels(dataset: Dataset, exclusions: readonly ReportExclusion[]): ExclusionTrieLevel[] {
  let currentNodes = exclusions.map(() => root);
  let nodeCount = root;
  return (exclusions[0] ?? []).map(({ dimension: id }, depth) => {
    const dimension = dataset.dimension(id);
    const valueOf = (exclusion: ReportExclusion): string | null => exclusion[depth]?.value ?? null;
    const codeByValue = dimension.codesOf(new Set(exclusions.map(valueOf)));
    const places = new Uint32Array(dimension.labels.length);
    for (const [at, code] of [...codeByValue.values()].entries()) places[code] = at + 1;
    const width = codeByValue.size + 1;
    const next = new Uint32Array((nodeCount + 1) * width);
    nodeCount = 0;
    currentNodes = exclusions.map((exclusion, at) => {
      const [node, code] = [currentNodes[at] as number, codeByValue.get(valueOf(exclusion))];
      if (node === 0 || code === undefined) return 0;
      const place = node * width + (places[code] as number);
      if (next[place] === 0) next[place] = nodeCount += 1;
      return next[place] as number;
    });
    return { codes: dimension.codes, places, width, next };
  });
}

function markExcluded(classes: Uint8Array, steps: readonly ExclusionTrieLevel[], part: DatasetPart): void {
  const levels = steps.map(({ codes, ...step }) => ({ codes: codes[part], ...step }));
  for (let row = 0; row < classes.length; row += 1) {
    let node = root;
    for (const { codes, places, width, next } of levels) {
      node = next[node * width + (places[codes[row] as number] as number)] as number;
      if (node === 0) break;
    }
    if (node !== 0 && classes[row] !== rowClass.out) classes[row] = rowClass.excluded;
  }
}

function mark(
  classes: Uint8Array,
  codes: Uint32Array,
  { flags, when, as }: { flags: Uint8Array; when: 0 | 1; as: number },
): void {
  for (let row = 0; row < classes.length; row += 1)
    if (flags[codes[row] as number] === when && classes[row] !== rowClass.out) classes[row] = as;
}
