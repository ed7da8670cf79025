import type { Mark, MarkFigures } from '#shared/app-api/index.ts';
import { csvLine, type CsvCell } from '#shared/lib/csv.ts';
import {
  columnLabel,
  dimensionLabel,
  exactText,
  metricValue,
  reportLabels,
  reportMetrics,
} from '#shared/reports/index.ts';

const maxDecimals = 9;

/** Figures now by the id of a mark; a mark that is not in it was not asked about yet. */
export type FiguresNow = Readonly<Record<string, MarkFigures | null>>;

/** Marks as CSV (RFC 4180, formula-safe, exact decimals): a line each, with the figures then and now of every metric. */
export function marksFile(marks: readonly Mark[], now: FiguresNow): string {
  const kinds = [...new Set(marks.map(({ source }) => source.kind))];
  const metrics = [...new Set(kinds.flatMap((kind) => reportMetrics[kind].map(({ id }) => id)))];
  const figureHeads = (when: string): string[] => [
    `${when} from`,
    `${when} to`,
    `${when} complete`,
    ...metrics.map((id) => `${columnLabel({ id, label: null })} ${when.toLowerCase()}`),
  ];
  const heads = ['Report', 'Source', 'Dimension', 'Value', 'Mark', 'Note', 'Marked at'];
  const lines = marks.map((mark) => [
    ...textCells([
      reportLabels[mark.source.kind],
      sourceText(mark),
      dimensionLabel(mark.dimension),
      mark.value ?? '',
      mark.sign,
      mark.note,
      new Date(mark.markedAtMs).toISOString(),
    ]),
    ...figureCells(mark, mark.figuresThen, metrics),
    ...figureCells(mark, now[mark.id] ?? null, metrics),
  ]);
  return [textCells([...heads, ...figureHeads('Then'), ...figureHeads('Now')]), ...lines]
    .map(csvLine)
    .join('');
}

function sourceText({ source }: Mark): string {
  return String(source.kind === 'xml' ? source.tid : (source.sid ?? 'all'));
}

function textCells(texts: readonly string[]): CsvCell[] {
  return texts.map((text) => ({ kind: 'text', text }));
}

function figureCells({ source }: Mark, figures: MarkFigures | null, metrics: readonly string[]): CsvCell[] {
  const { range, complete } = figures ?? { range: null, complete: null };
  const head = [range?.from ?? '', range?.to ?? '', complete === null ? '' : complete ? 'yes' : 'no'];
  const values = metrics.map((id): CsvCell => {
    const value = figures && metricValue(source.kind, id, figures.sums);
    return { kind: 'number', text: value === null ? '' : exactText(value, maxDecimals) };
  });
  return [...textCells(head), ...values];
}
