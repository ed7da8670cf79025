import type { ReportQuery, ReportValue } from '#shared/app-api/index.ts';
import { type Dataset, parts } from './dataset.ts';
import type { Part } from './dimension.ts';

/**
 * Class of a row: not counted, switched off, of the incomplete day, or counted everywhere. A group shows the greatest.
 */
export const rowClass = { out: 0, excluded: 1, incomplete: 2, counted: 3 } as const;

/** The class of each row; null where every row is counted. */
export interface RowClasses {
  /** Names the question: equal keys of one dataset mean equal classes. */
  key: string;
  of: Readonly<Record<Part, Uint8Array | null>>;
}

/**
 * Classes by the filters, the exclusions and the incomplete day of a question. Rows pass with one of the wanted values in every
 * dimension that has some. Compared rows are judged by the day to which theirs corresponds.
 */
export function rowClasses(
  dataset: Dataset,
  query: Pick<ReportQuery, 'only' | 'excluded' | 'includeToday'>,
  incompleteDay: string | null,
): RowClasses {
  const leftOut = query.includeToday ? null : incompleteDay;
  const key = JSON.stringify([query.only, query.excluded, leftOut]);
  if (query.only.length === 0 && query.excluded.length === 0 && leftOut === null)
    return { key, of: { current: null, compared: null } };
  return dataset.keep(`classes ${key}`, () => {
    const of = { current: counted(dataset.rowCounts.current), compared: counted(dataset.rowCounts.compared) };
    for (const [id, wanted] of valuesByDimension(query.only)) {
      const { codes, flags } = flagged(dataset, id, wanted);
      for (const part of parts) mark(of[part], codes[part], { flags, when: 0, as: rowClass.out });
    }
    if (leftOut !== null) {
      const { codes, flags } = flagged(dataset, 'date', new Set([leftOut]));
      for (const part of parts) mark(of[part], codes[part], { flags, when: 1, as: rowClass.incomplete });
    }
    for (const [id, unwanted] of valuesByDimension(query.excluded)) {
      const { codes, flags } = flagged(dataset, id, unwanted);
      for (const part of parts) mark(of[part], codes[part], { flags, when: 1, as: rowClass.excluded });
    }
    return { value: { key, of }, bytes: of.current.length + of.compared.length };
  });
}

const counted = (rowCount: number) => new Uint8Array(rowCount).fill(rowClass.counted);

function valuesByDimension(values: readonly ReportValue[]): Map<string, Set<string | null>> {
  const byDimension = new Map<string, Set<string | null>>();
  for (const { dimension, value } of values) {
    const known = byDimension.get(dimension);
    if (known === undefined) byDimension.set(dimension, new Set([value]));
    else known.add(value);
  }
  return byDimension;
}

function flagged(dataset: Dataset, id: string, values: ReadonlySet<string | null>) {
  const dimension = dataset.dimension(id);
  return { codes: dimension.codes, flags: dimension.flags((label) => values.has(label)) };
}

/** Gives rows whose flag is `when` the class `as`; rows that are out stay out. */
function mark(
  classes: Uint8Array,
  codes: Uint32Array,
  { flags, when, as }: { flags: Uint8Array; when: 0 | 1; as: number },
): void {
  for (let row = 0; row < classes.length; row += 1)
    if (flags[codes[row] as number] === when && classes[row] !== rowClass.out) classes[row] = as;
}
