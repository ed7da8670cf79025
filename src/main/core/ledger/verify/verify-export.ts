import { createReadStream, existsSync, realpathSync } from 'node:fs';
import { systemClock } from '#core/platform/clock.ts';
import { type LedgerRow, openLedgerFile, type LedgerReader } from '#core/store/app/index.ts';
import type { LedgerFilter, LedgerReport } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { type ExportHeader, readHeader, rowOfLine } from '../export.ts';
import { noHash, type PublicKey, readPublicKey, verifiesSignature } from '../signer.ts';
import {
  type Chain,
  contentProblem,
  emptyChain,
  verifyNextRow,
  isWellFormed,
  keyIntroduced,
  readBody,
  type LedgerProblem,
  type LedgerProblemCode,
  problem,
} from './chain.ts';
import { checkAnchor, walkAll, anchoredCount, reportOn } from './walk.ts';
import { dirname } from 'node:path';
import { refuseFolders } from '#core/platform/disk-places.ts';
import { anchorFile, readAnchor, type FoundAnchor } from '../anchor.ts';

function keysOf({ keys }: ExportHeader): ReadonlyMap<string, PublicKey> {
  const read = keys.flatMap(({ keyId, publicKey }): [string, PublicKey][] => {
    const key = readPublicKey(publicKey);
    return key === null || key.keyId !== keyId ? [] : [[keyId, key]];
  });
  return new Map(read);
}

function checkSelected(
  row: LedgerRow,
  { before, keys }: { before: LedgerRow | null; keys: ReadonlyMap<string, PublicKey> },
): LedgerProblem | null {
  if (!isWellFormed(row)) return problem('row_unreadable', row.seq);
  const code = misplaced(row, before) ?? contentProblem(row, readBody(row.body)) ?? wronglySigned(row, keys);
  return code === null ? null : problem(code, row.seq);
}

function misplaced(row: LedgerRow, before: LedgerRow | null): LedgerProblemCode | null {
  if (before === null || row.seq > before.seq + 1) return null;
  const continues = row.seq === before.seq + 1 && row.previousHash === before.hash;
  return continues ? null : 'link_broken';
}

function wronglySigned(row: LedgerRow, keys: ReadonlyMap<string, PublicKey>): LedgerProblemCode | null {
  const key = keys.get(row.keyId);
  if (key === undefined) return 'key_unknown';
  return verifiesSignature(row.hash, row.signature, key) ? null : 'signature_wrong';
}

export interface ExportReport extends LedgerReport {
  /** Null for a complete ledger. A selection does not prove that no row is missing. */
  selection: LedgerFilter | null;
}

interface WalkedRows {
  rows: number;
  last: LedgerRow | null;
  anchored: LedgerRow | null;
  introductions: LedgerRow[];
  chain: Chain;
  hasHead: boolean;
  problem: LedgerProblem | null;
}

/** Verifies an export; needs no secret. Fails with `storage_failed`, and with `bad_input` if `head` is given for a selection. */
export async function verifyLedgerExport(
  file: string,
  { head = null }: { head?: string | null } = {},
): Promise<ExportReport> {
  const lines = linesOf(file);
  try {
    return await verifyLines(lines, head);
  } finally {
    await lines.return();
  }
}

async function verifyLines(
  lines: AsyncGenerator<string | null, void, void>,
  head: string | null,
): Promise<ExportReport> {
  const header = readHeader((await lines.next()).value ?? '');
  if (header === null) return reportOf(null, { ...nothingWalked(), problem: problem('header_wrong', null) });
  if (header.selection !== null && head !== null) {
    const message = 'A selection leaves rows out, so that a head says nothing about it.';
    throw new AppError('bad_input', { message });
  }
  const walked = await walk(lines, header, head);
  return reportOf(header, { ...walked, problem: walked.problem ?? summaryProblem(header, walked, head) });
}

async function walk(
  lines: AsyncIterable<string | null>,
  header: ExportHeader,
  head: string | null,
): Promise<WalkedRows> {
  const keys = keysOf(header);
  const walked = nothingWalked();
  for await (const line of lines) {
    const row = line === null ? null : rowOfLine(line);
    walked.problem =
      row === null
        ? problem('row_unreadable', (walked.last?.seq ?? 0) + 1)
        : header.selection === null
          ? followed(walked, row)
          : checkSelected(row, { before: walked.last, keys });
    if (row === null || walked.problem !== null) return walked;
    walked.rows += 1;
    walked.last = row;
    walked.hasHead ||= row.hash === head;
    // The key that the first row introduces signs an anchor of no rows.
    if (row.seq === Math.max(header.anchor?.count ?? 0, 1)) walked.anchored = row;
    if (row.kind === keyIntroduced) walked.introductions.push(row);
  }
  return walked;
}

function followed(walked: WalkedRows, row: LedgerRow): LedgerProblem | null {
  const next = verifyNextRow(walked.chain, row);
  if ('problem' in next) return next.problem;
  walked.chain = next.chain;
  return null;
}

function summaryProblem(header: ExportHeader, walked: WalkedRows, head: string | null): LedgerProblem | null {
  const { rows, anchored, introductions, hasHead } = walked;
  if (header.selection === null) {
    const { anchor } = header;
    // No row may follow an export's anchor.
    const timesAfter = (count: number): number => (rows > count ? Infinity : 0);
    const reader = { count: () => rows, at: () => anchored, introductions: () => introductions, timesAfter };
    const found = checkAnchor(reader, anchor === null ? { kind: 'missing' } : { kind: 'found', anchor });
    if (found !== null) return found;
  }
  if (rows !== header.rows) return problem('rows_uncounted', null);
  return head === null || hasHead ? null : problem('head_not_found', null);
}

function nothingWalked(): WalkedRows {
  return {
    rows: 0,
    last: null,
    anchored: null,
    introductions: [],
    chain: emptyChain(),
    hasHead: false,
    problem: null,
  };
}

function reportOf(
  header: ExportHeader | null,
  { rows, last, chain, problem: found }: WalkedRows,
): ExportReport {
  const selection = header?.selection ?? null;
  const named = header?.keys.map(({ keyId, fromSeq, endorsed }) => ({ keyId, fromSeq, endorsed })) ?? [];
  return {
    state: found === null ? 'verified' : 'broken',
    rows,
    head: last?.hash ?? noHash,
    sealedAtMs: last?.atMs ?? null,
    checkedAtMs: systemClock.nowMs(),
    anchored: header?.anchor?.count ?? null,
    anchorFailedSinceMs: null,
    keys: selection === null ? chain.keys : named,
    ...(chain.restores.length > 0 && { restores: chain.restores }),
    problem: found,
    selection,
  };
}

const maxLineLength = 64 * 1024 * 1024;

const byteOrderMark = '\uFEFF';

const isBlank = (line: string): boolean => /^[ \t\r]*$/u.test(line);

async function* linesOf(file: string): AsyncGenerator<string | null, void, void> {
  let blank: string[] = [];
  let isFirst = true;
  for await (const found of rawLinesOf(file)) {
    const line = isFirst && found !== null && found.startsWith(byteOrderMark) ? found.slice(1) : found;
    isFirst = false;
    // Drops blank lines at the end. Limited, so that a file of blank lines does not fill the memory.
    if (line !== null && isBlank(line) && blank.length < maxBlankLines) {
      blank.push(line);
      continue;
    }
    yield* blank;
    blank = [];
    yield line;
  }
}

const maxBlankLines = 100;

/** Splits at line feeds only, because JSON strings may contain other line separators. */
async function* rawLinesOf(file: string): AsyncGenerator<string | null, void, void> {
  // Collects the chunks of an unfinished line: joining at every chunk would take quadratic time.
  let begun: string[] = [];
  let length = 0;
  try {
    for await (const chunk of createReadStream(file, { encoding: 'utf8' }) as AsyncIterable<string>) {
      const lines = chunk.split('\n');
      const rest = lines.pop() ?? '';
      for (const line of lines) {
        yield begun.join('') + line;
        [begun, length] = [[], 0];
      }
      begun.push(rest);
      length += rest.length;
      if (length > maxLineLength) {
        yield null;
        return;
      }
    }
  } catch (cause) {
    throw new AppError('storage_failed', { message: 'The file cannot be read.', cause });
  }
  if (length > 0) yield begun.join('');
}

/**
 * Verifies a database with the anchor in its folder; changes no file. `head` detects a restored older copy of both. Fails with
 * `not_found`, and as {@link openLedgerFile} does.
 */
export async function verifyLedgerFile(file: string, options: { head?: string } = {}): Promise<LedgerReport> {
  // Read before the snapshot: if the owner keeps writing, this anchor is only older than the rows.
  const anchorPath = anchorPathFor(file);
  refuseFolders([anchorPath]);
  const before = readAnchor(anchorPath);
  const { reader, dispose } = openLedgerFile(file);
  // Read after the snapshot, so that rows written between the two reads do not count as missing from the anchor.
  const after = readAnchor(anchorPath);
  try {
    const report = await verifyRows(reader, { before, after }, options.head ?? null);
    return { ...report, anchorFailedSinceMs: null };
  } finally {
    await dispose();
  }
}

/** The anchor next to the link, else the one next to its target. */
function anchorPathFor(file: string): string {
  const beside = anchorFile(dirname(file));
  return existsSync(beside) || !existsSync(file) ? beside : anchorFile(dirname(realpathSync(file)));
}

async function verifyRows(
  reader: LedgerReader,
  { before, after }: { before: FoundAnchor; after: FoundAnchor },
  head: string | null,
): Promise<Omit<LedgerReport, 'anchorFailedSinceMs'>> {
  const { chain, problem: ofRows } = await walkAll(reader, () => false);
  const found = ofRows ?? checkAnchor(reader, before, after) ?? checkHead(reader, head);
  const checkedAtMs = systemClock.nowMs();
  return reportOn(reader, { chain, problem: found, checkedAtMs, anchored: anchoredCount(after) });
}

function checkHead(reader: LedgerReader, head: string | null) {
  return head === null || reader.withHash(head) !== null ? null : problem('head_not_found', null);
}
