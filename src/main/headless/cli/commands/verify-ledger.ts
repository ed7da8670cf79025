import { statSync } from 'node:fs';
import { join } from 'node:path';
import { verifyLedgerFile } from '#core/compose.ts';
import type { LedgerReport } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Console } from '../console.ts';
import { exitCodes } from '../exit-codes.ts';

export interface VerifyOptions {
  head?: string;
  json?: boolean;
}

/** The app's database in a data folder. */
const databaseName = 'countersign.sqlite';

/** `countersign verify-ledger`: the verdict on a ledger file, from its first row to its anchor. */
export async function verifyLedger(
  path: string,
  { head, json = false }: VerifyOptions,
  console: Console,
): Promise<number> {
  const file = ledgerFile(path);
  const report = await verifyLedgerFile(file, head === undefined ? {} : { head });
  if (json) console.out(JSON.stringify(report, null, 2));
  else printReport(report, { file, hasHead: head !== undefined, console });
  return report.state === 'verified' ? exitCodes.ok : exitCodes.ledgerBroken;
}

function ledgerFile(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined)
    throw new AppError('not_found', { message: `There is no file or folder at ${path}.` });
  return found.isDirectory() ? join(path, databaseName) : path;
}

function printReport(
  report: LedgerReport,
  { file, hasHead, console }: { file: string; hasHead: boolean; console: Console },
): void {
  const { style } = console;
  if (report.problem === null) console.out(style.verified('The ledger is verified.'));
  else {
    const { seq, code, text } = report.problem;
    console.out(style.loss(`The ledger is BROKEN${seq === null ? '' : ` at row ${seq}`}: ${text} (${code})`));
  }
  console.out(`  file    ${file}`);
  console.out(`  rows    ${report.rows}`);
  console.out(`  head    ${report.head}`);
  if (report.sealedAtMs !== null) console.out(`  sealed  ${new Date(report.sealedAtMs).toISOString()}`);
  for (const { keyId, fromSeq, endorsed } of report.keys) {
    console.out(
      `  key     ${keyId} from row ${fromSeq}${endorsed || fromSeq <= 1 ? '' : ', not endorsed by the key before it'}`,
    );
  }
  if (!hasHead && report.problem === null) {
    console.out(
      style.quiet('Note the head somewhere else: `--head` then shows whether an older copy was put back.'),
    );
  }
}
