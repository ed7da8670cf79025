import type { ReportQuery, ReportRow } from '#shared/app-api/index.ts';
import { incompleteDayOf, isLeftOutOfTotals, shareColumn, shareText } from '#shared/reports/index.ts';
import type { Formats } from '#shared/lib/formats.ts';
import type { ReportHead } from '../stores/report-rows.ts';

interface ShareOfTotal {
  column: ReturnType<typeof shareColumn>['column'];
  of: (row: ReportRow) => { text: string; part: number };
  /** `100%`, a dash for a total of nothing, or null before the first reading. */
  foot: string | null;
}

const noShare = { text: '—', part: 0 };

export function shareOfTotal(query: ReportQuery, head: ReportHead | null, formats: Formats): ShareOfTotal {
  const { at, column } = shareColumn(query.source.kind, query.sort.column, head?.columns ?? []);
  const total = head?.totals[at] ?? null;
  const day = head && incompleteDayOf(head);
  return {
    column,
    of({ path, values, excluded }) {
      if (excluded || isLeftOutOfTotals(path, query.levels, day)) return noShare;
      const text = shareText(values[at] ?? null, total, formats);
      if (text === null) return noShare;
      return { text, part: Math.min(1, Math.max(0, Number(values[at]) / Number(total))) };
    },
    foot: head && (shareText(total, total, formats) === null ? noShare.text : '100%'),
  };
}
