import type { LedgerEntry, LedgerReport } from '#shared/app-api/index.ts';
import { counted } from '#shared/lib/counted.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import type { Style } from './style.ts';

/** The rows of one proposal, oldest first, each in one line. */
export function ledgerText(newestFirst: LedgerEntry[], style: Style): string[] {
  return newestFirst.toReversed().map(({ seq, atMs, summary, via }) => {
    const time = new Date(atMs).toISOString().slice(11, 19);
    const where = via === null ? '' : style.quiet(` (${via})`);
    return `  ${String(seq).padStart(4)}  ${style.quiet(`${time}Z`)}  ${inertText(summary)}${where}`;
  });
}

/** The chain's state in one line. */
export function reportText({ state, rows, head, problem }: LedgerReport, style: Style): string {
  if (state === 'verified')
    return style.verified(`Ledger verified: ${counted(rows, 'row')}, head ${head.slice(0, 12)}`);
  return style.loss(`Ledger ${state.toUpperCase()}${problem === null ? '' : `: ${problem.text}`}`);
}
