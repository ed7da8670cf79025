import { filesStore, tableShape } from '#renderer/stores/report-files/index.ts';
import { readRows, reportsStore } from '#renderer/stores/reports/index.ts';
import { PrintSheet, type PrintedReport } from '#renderer/ui/chart/index.ts';
import { useEffect, type ReactElement } from 'react';
import { pictureOf } from './export-menu.tsx';
import { shownReport } from './shown-table.ts';

/** Rows on paper at most: more belong in a file. */
const maxRows = 500;

/** The report for paper: from the menu with its first rows, by the browser's own shortcut with those that were read. */
export function PrintPart(): ReactElement {
  useEffect(() => {
    const { clearPrinted } = filesStore.getState();
    window.addEventListener('afterprint', clearPrinted);
    return () => window.removeEventListener('afterprint', clearPrinted);
  }, []);
  return <PrintSheet content={printedReport} />;
}

function printedReport(): PrintedReport | null {
  const report = shownReport();
  const { rows } = reportsStore.getState();
  if (report === null || rows === null) return null;
  const { head, table } = report;
  const { shape, rowOf } = tableShape(head, table);
  const shown = filesStore.getState().printed ?? readRows(rows).slice(0, maxRows);
  return {
    picture: pictureOf(report),
    shape,
    rows: shown.filter(({ excluded }) => !excluded).map(rowOf),
    rowCount: head.rowCount,
    total: rowOf({ path: [], values: head.totals, compared: head.comparedTotals }),
  };
}
