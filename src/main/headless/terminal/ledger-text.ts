import type { LedgerEntry, LedgerReport } from '#shared/app-api/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import type { Style } from './style.ts';
import { usualFormats } from '#shared/lib/formats.ts';

/** The rows of one proposal, oldest first, each in one line. */
export function ledgerText(newestFirst: LedgerEntry[], style: Style): string[] {
  return newestFirst.toReversed().map(({ seq, atMs, summary, via }) => {
    const time = new Date(atMs).toISOString().slice(11, 19);
    const where = via === null ? '' : style.quiet(` (${inertText(via)})`);
    return `  ${String(seq).padStart(4)}  ${style.quiet(`${time}Z`)}  ${inertText(summary)}${where}`;
  });
}

/** The chain's state in one line, and in another one that its anchor cannot be written. */
export function reportText(report: LedgerReport, style: Style): string {
  const { state, rows, head, problem } = report;
  const anchor = anchorText(report);
  const chain =
    state === 'verified'
      ? style.verified(`Ledger verified: ${usualFormats.counted(rows, 'row')}, head ${head.slice(0, 12)}`)
      : style.loss(`Ledger ${state.toUpperCase()}${problem === null ? '' : `: ${problem.text}`}`);
  return anchor === null ? chain : `${chain}\n${style.loss(anchor)}`;
}

/** Says that the anchor cannot be written, and what that means; null while it can. */
export function anchorText({ anchorFailedSinceMs, anchored, rows }: LedgerReport): string | null {
  if (anchorFailedSinceMs === null) return null;
  const behind = anchored === null ? 'the newest rows' : `rows after ${anchored}`;
  const risk = rows === 0 ? 'the ledger cannot begin' : `${behind} could be cut off unnoticed`;
  return `The anchor of the ledger (ledger.anchor.json) cannot be written: ${risk}, and no change is recorded or sent.`;
}
