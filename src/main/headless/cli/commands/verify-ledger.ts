import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { verifyLedgerExport, verifyLedgerFile } from '#core/public.ts';
import type { LedgerFilter, LedgerReport } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { isMoment } from '#shared/lib/date-text.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import type { Console } from '../console.ts';
import { exitCodes } from '../exit.ts';
import { withFileName } from '../file-failures.ts';
import { safeJson } from '../safe-json.ts';
import { type Sentence, sentence } from '#shared/lib/sentence.ts';

export interface VerifyOptions {
  head?: string;
  json?: boolean;
}

/** The verdict on a database, or on an export. */
type Report = LedgerReport & { selection?: LedgerFilter | null };

/** The app's database in a data folder. */
const databaseName = 'countersign.sqlite';

/** `countersign verify-ledger`: the verdict on a ledger file or an export, from its first row to its anchor. */
export async function verifyLedger(
  path: string,
  { head, json = false }: VerifyOptions,
  console: Console,
): Promise<number> {
  const file = ledgerFile(path);
  const report = await verify(file, head === undefined ? {} : { head });
  if (json) console.out(safeJson(report, 2));
  else printReport(report, { file, hasHead: head !== undefined, console });
  return report.state === 'verified' ? exitCodes.ok : exitCodes.ledgerBroken;
}

/** Fails with the name of the file, as everything here does that reads it. */
function ledgerFile(path: string): string {
  try {
    const file = statSync(path).isDirectory() ? join(path, databaseName) : path;
    const found = statSync(file, { throwIfNoEntry: false });
    // A pipe gives every byte once, and a ledger is looked at several times.
    const isOther = found !== undefined && !found.isFile() && !found.isDirectory();
    if (isOther) throw new AppError('not_found', { message: notAFile });
    return file;
  } catch (failure) {
    throw withFileName(path, failure);
  }
}

const notAFile = 'It is no file. Save the ledger to a file, and name that.';

async function verify(file: string, options: { head?: string }): Promise<Report> {
  try {
    const start = startOf(file);
    const other = otherFiles.find(({ mark }) => start.subarray(0, mark.length).equals(mark));
    if (other !== undefined) throw new AppError('not_found', { message: other.message });
    // An export is JSON Lines, whatever its name, also behind a byte order mark; a database begins with its own mark.
    const isExport = file.endsWith('.jsonl') || /^\uFEFF?\{/u.test(start.toString());
    return isExport ? await verifyLedgerExport(file, options) : await verifyLedgerFile(file, options);
  } catch (failure) {
    throw withFileName(file, failure);
  }
}

/** The first bytes of files that are no ledger but may contain one, and what to do with each. */
const otherFiles: readonly { mark: Buffer; message: Sentence }[] = [
  {
    // Every backup begins so (docs/backup-and-data.md).
    mark: Buffer.from('{"format":"countersign backup"'),
    message: sentence`It is a backup, whose ledger is verified when it is chosen for a restore.`,
  },
  { mark: Buffer.from([0x1f, 0x8b]), message: sentence`It is compressed (gzip). Unpack it first.` },
  { mark: Buffer.from('PK\u0003\u0004'), message: sentence`It is a ZIP archive. Unpack it first.` },
  {
    mark: Buffer.from([0xff, 0xfe]),
    message: sentence`It is saved as UTF-16. Save it as UTF-8, or export it again.`,
  },
  {
    mark: Buffer.from([0xfe, 0xff]),
    message: sentence`It is saved as UTF-16. Save it as UTF-8, or export it again.`,
  },
];

const longestMark = Math.max(...otherFiles.map(({ mark }) => mark.length));

/** Reads as many bytes as the longest mark has; none if the file cannot be read: the verification reports that. */
function startOf(file: string): Buffer {
  const start = Buffer.alloc(longestMark);
  try {
    const descriptor = openSync(file, 'r');
    const length = readSync(descriptor, start);
    closeSync(descriptor);
    return start.subarray(0, length);
  } catch {
    return Buffer.alloc(0);
  }
}

/** Prints the verdict. Every text is inert: a forged file is what this command is for, and its texts speak to no terminal. */
function printReport(
  report: Report,
  { file, hasHead, console }: { file: string; hasHead: boolean; console: Console },
): void {
  const { style } = console;
  const selection = report.selection ?? null;
  if (report.problem === null) {
    const what = selection === null ? 'The ledger is verified.' : 'Every row of this selection is verified.';
    console.out(style.verified(what));
  } else {
    const { seq, code, text } = report.problem;
    console.out(style.loss(`The ledger is BROKEN${seq === null ? '' : ` at row ${seq}`}: ${text} (${code})`));
  }
  console.out(`  file    ${inertText(file)}`);
  console.out(`  rows    ${report.rows}`);
  // One transaction at most, or the ledger is broken.
  if (report.anchored !== null && report.anchored < report.rows && selection === null)
    console.out(
      `  anchor  behind: it names row ${report.anchored}, as after a crash or where it cannot be written`,
    );
  console.out(`  head    ${inertText(report.head)}`);
  if (report.sealedAtMs !== null) console.out(`  sealed  ${timeText(report.sealedAtMs)}`);
  for (const { keyId, fromSeq, endorsed } of report.keys) {
    console.out(
      `  key     ${inertText(keyId)} from row ${fromSeq}${endorsed || fromSeq <= 1 ? '' : ', not endorsed by the key before it'}`,
    );
  }
  for (const { seq, previous } of report.restores ?? []) {
    const before =
      previous === null
        ? 'the ledger before could not be read'
        : `the ledger before had ${previous.count} rows, up to ${inertText(previous.head)}`;
    console.out(`  restore row ${seq} restored a backup; ${before}`);
  }
  if (selection !== null) console.out(`  chosen  ${choiceText(selection)}`);
  if (!hasHead && report.problem === null) console.out(style.quiet(selection === null ? noteHead : noteKeys));
}

/** The number itself where it is no moment. */
function timeText(atMs: number): string {
  return isMoment(atMs) ? new Date(atMs).toISOString() : String(atMs);
}

const noteHead = 'Save this head elsewhere: `--head` then detects a restored copy.';
const noteKeys =
  'A selection cannot show what it leaves out. Compare its keys with those of the ledger that it came from.';

/** The filter that chose the rows, as the header says. */
function choiceText(selection: LedgerFilter): string {
  const chosen = Object.entries(selection).filter(([, value]) => value !== null);
  return chosen.map(([name, value]) => `${name} ${safeJson(value)}`).join(', ');
}
