import { closeSync, openSync, readSync, statSync, constants, fstatSync } from 'node:fs';
import { join } from 'node:path';
import { verifyLedgerExport, verifyLedgerFile, checkResult, type ResultCheck } from '#core/public.ts';
import type { LedgerFilter, LedgerReport } from '#shared/app-api/index.ts';
import { isMoment } from '#shared/lib/date-text.ts';
import { inertText, quoted } from '#shared/lib/inert-text.ts';
import { type Console, safeJson } from '../console.ts';
import { exitCodes, otherFile, type UnreadableReason, withFileName, whyUnreadable } from '../failures.ts';
import { sentence } from '#shared/lib/sentence.ts';
import { type FaultProgress, faultWords, progressOf } from '#shared/training/index.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

export interface VerifyOptions {
  head?: string;
  json?: boolean;
}

type Report = LedgerReport & { selection?: LedgerFilter | null };

const databaseName = 'countersign.sqlite';

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

function ledgerFile(path: string): string {
  try {
    const file = statSync(path).isDirectory() ? join(path, databaseName) : path;
    const found = statSync(file, { throwIfNoEntry: false });
    // A pipe can be read only once, but a ledger is read several times.
    const isOther = found !== undefined && !found.isFile() && !found.isDirectory();
    if (isOther) throw otherFile(file, notAFile);
    return file;
  } catch (failure) {
    throw withFileName(path, failure);
  }
}

const notAFile: UnreadableReason = {
  reason: 'It is no file.',
  remedy: sentence`Save the ledger to a file, and name that.`,
};

async function verify(file: string, options: { head?: string }): Promise<Report> {
  try {
    const start = startOf(file);
    const other = otherFiles.find(({ mark }) => start.subarray(0, mark.length).equals(mark));
    if (other !== undefined) throw otherFile(file, other);
    // An export is JSON Lines, whatever its name, also after a byte order mark. A database begins with its own header.
    if (file.endsWith('.jsonl') || /^\uFEFF?\{/u.test(start.toString()))
      return await verifyLedgerExport(file, options);
    const isDatabase = start.length === 0 || start.subarray(0, databaseMark.length).equals(databaseMark);
    if (!isDatabase && !file.endsWith('.sqlite')) throw otherFile(file, neither);
    return await verifyLedgerFile(file, options);
  } catch (failure) {
    throw withFileName(file, failure);
  }
}

const databaseMark = Buffer.from('SQLite format 3\0');

const neither: UnreadableReason = {
  reason: 'It is neither the database of Countersign nor an export of its ledger.',
  remedy: sentence`Name one of them, or the data folder.`,
};

const utf16: UnreadableReason = {
  reason: 'It is saved as UTF-16.',
  remedy: sentence`Save it as UTF-8, or export it again.`,
};

const unpack = sentence`Unpack it first.`;

const compressed = (how: string): UnreadableReason => ({
  reason: `It is compressed (${how}).`,
  remedy: unpack,
});

const otherFiles: readonly ({ mark: Buffer } & UnreadableReason)[] = [
  {
    // The beginning of every backup (docs/backup-and-data.md).
    mark: Buffer.from('{"format":"countersign backup"'),
    reason: 'It is a backup.',
    remedy: sentence`Choose it for a restore: that verifies its ledger.`,
  },
  { mark: Buffer.from([0x1f, 0x8b]), ...compressed('gzip') },
  { mark: Buffer.from('BZh'), ...compressed('bzip2') },
  { mark: Buffer.from([0xfd, ...Buffer.from('7zXZ')]), ...compressed('xz') },
  { mark: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), ...compressed('Zstandard') },
  { mark: Buffer.from('PK\u0003\u0004'), reason: 'It is a ZIP archive.', remedy: unpack },
  { mark: Buffer.from([0xff, 0xfe]), ...utf16 },
  { mark: Buffer.from([0xfe, 0xff]), ...utf16 },
];

const markWidth = Math.max(...otherFiles.map(({ mark }) => mark.length));

function startOf(file: string): Buffer {
  const start = Buffer.alloc(markWidth);
  try {
    const descriptor = openSync(file, 'r');
    const length = readSync(descriptor, start);
    closeSync(descriptor);
    return start.subarray(0, length);
  } catch {
    return Buffer.alloc(0);
  }
}

/** Prints the result. Every text is made inert, because the command checks files that may be forged. */
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
  // If more than one transaction is missing, the ledger is broken instead.
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

function timeText(atMs: number): string {
  return isMoment(atMs) ? new Date(atMs).toISOString() : String(atMs);
}

const noteHead = 'Save this head elsewhere: `--head` then detects a restored copy.';
const noteKeys =
  'A selection cannot show what it leaves out. Compare its keys with those of the ledger that it came from.';

function choiceText(selection: LedgerFilter): string {
  const chosen = Object.entries(selection).filter(([, value]) => value !== null);
  return chosen.map(([name, value]) => `${name} ${safeJson(value)}`).join(', ');
}

export interface VerifyResultOptions {
  key?: string;
  json?: boolean;
}

type Intact = Extract<ResultCheck, { kind: 'intact' }>;

type ResultVerdict = { file: string } & (
  (Intact & { progress: FaultProgress[] }) | Exclude<ResultCheck, Intact>
);

const maxBytes = 8 * 1024 * 1024;

export async function verifyResult(
  files: readonly string[],
  { key, json = false }: VerifyResultOptions,
  console: Console,
): Promise<number> {
  let unread = 0;
  const verdicts = files.map((file): ResultVerdict => {
    const read = readText(file);
    if (read.kind === 'refused') unread += 1;
    const check = read.kind === 'read' ? withKey(checkResult(read.text), key) : read;
    if (check.kind === 'refused') return { file, ...check };
    return { file, ...check, progress: progressOf(check.result.attempts) };
  });
  if (json) console.out(safeJson(verdicts, 2));
  else printVerdicts(verdicts, { hasKey: key !== undefined, console });
  const refused = verdicts.filter(({ kind }) => kind === 'refused').length;
  // A missing file was not verified, so it has the exit code of any failed command.
  if (refused > unread) return exitCodes.refusedFile;
  return unread > 0 ? exitCodes.failed : exitCodes.ok;
}

type ReadText = { kind: 'read'; text: string } | { kind: 'refused'; reason: string };

function readText(file: string): ReadText {
  try {
    // With O_NONBLOCK a pipe without a writer opens immediately, and is then refused.
    const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      if (!fstatSync(descriptor).isFile()) return { kind: 'refused', reason: 'It is no file.' };
      return { kind: 'read', text: readStart(descriptor, maxBytes + 1).toString('utf8') };
    } finally {
      closeSync(descriptor);
    }
  } catch (failure) {
    return { kind: 'refused', reason: whyUnreadable(failure) };
  }
}

function readStart(descriptor: number, max: number): Buffer {
  const parts: Buffer[] = [];
  let length = 0;
  while (length < max) {
    const part = Buffer.alloc(Math.min(64 * 1024, max - length));
    const count = readSync(descriptor, part);
    if (count === 0) break;
    parts.push(part.subarray(0, count));
    length += count;
  }
  return Buffer.concat(parts);
}

function withKey(check: ResultCheck, key: string | undefined): ResultCheck {
  if (key === undefined || check.kind === 'refused') return check;
  if (check.keyFingerprint.replaceAll(' ', '') === key) return check;
  const reason = `It was signed with another key: ${check.keyFingerprint}.`;
  return { kind: 'refused', reason };
}

function printVerdicts(
  verdicts: readonly ResultVerdict[],
  { hasKey, console }: { hasKey: boolean; console: Console },
): void {
  const { out, style } = console;
  for (const verdict of verdicts) {
    const file = inertText(verdict.file);
    if (verdict.kind === 'refused') {
      out(style.loss(`REFUSED: ${inertText(verdict.reason)}`));
      out(`  file      ${file}`);
      continue;
    }
    const { name, savedAtMs, attempts } = verdict.result;
    out(style.verified('The result file is intact.'));
    out(`  file      ${file}`);
    out(`  name      ${quoted(name)}`);
    out(`  saved     ${new Date(savedAtMs).toISOString()}`);
    const unfinished = attempts.filter(({ incomplete }) => incomplete !== undefined).length;
    const ofThem = unfinished === 0 ? '' : `, ${unfinished} of them not completed`;
    out(`  attempts  ${defaultFormats.counted(attempts.length, 'attempt')}${ofThem}`);
    for (const line of progressLines(verdict.progress)) out(line);
    out(`  key       ${verdict.keyFingerprint}`);
  }
  if (verdicts.every(({ kind }) => kind === 'refused')) return;
  out(style.quiet(hasKey ? provenByKey : compareKey));
  out(style.quiet(notProven));
}

function progressLines(progress: readonly FaultProgress[]): string[] {
  const reliable = progress.filter(({ isReliable }) => isReliable);
  const others = progress.filter(({ isReliable, met }) => !isReliable && met > 0);
  const names = reliable.map(({ kind }) => faultWords[kind].title).join(', ');
  const found = others.map(
    ({ kind, caught, met }) => `${faultWords[kind].title} (${caught} of ${met} caught)`,
  );
  return [
    `  reliable  ${reliable.length} of ${progress.length} kinds of fault${names === '' ? '' : `: ${names}`}`,
    ...(found.length === 0 ? [] : [`  not yet   ${found.join(', ')}`]),
  ];
}

const provenByKey = 'Intact files are as the computer with this key saved them.';
const compareKey =
  'Intact files are as the computer with their key saved them. Compare the key with the one that you noted: `--key` does it.';
const notProven = 'They do not prove who sat there: the name is what was typed.';
