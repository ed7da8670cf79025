import { existsSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemClock } from '#core/platform/clock.ts';
import { refuseFolders } from '#core/platform/occupied-places.ts';
import { openLedgerFile, type LedgerReader } from '#core/store/app/index.ts';
import type { LedgerReport } from '#shared/app-api/index.ts';
import { anchorFile, readAnchor, type FoundAnchor } from '../anchor/anchor.ts';
import { checkAnchor, walkAll } from './walk.ts';
import { problem } from './problem.ts';
import { namedBy, reportOn } from './report.ts';

/**
 * Verifies the ledger of a database file against the anchor beside it, without any secret and without changing either.
 * `head` is a hash noted elsewhere: some row must have it, which shows a restored older copy of both. Fails with
 * `not_found` where there is no ledger, and as {@link openLedgerFile} where a file cannot be read.
 */
export async function verifyLedgerFile(file: string, options: { head?: string } = {}): Promise<LedgerReport> {
  // Read before the snapshot: if the owner goes on writing, the anchor is only older than the rows.
  const anchorPath = anchorBeside(file);
  refuseFolders([anchorPath]);
  const before = readAnchor(anchorPath);
  const { reader, dispose } = openLedgerFile(file);
  // Read after the snapshot: rows between the two were anchored meanwhile, and are not behind the anchor.
  const after = readAnchor(anchorPath);
  try {
    const report = await verifyRows(reader, { before, after }, options.head ?? null);
    return { ...report, anchorFailedSinceMs: null };
  } finally {
    await dispose();
  }
}

/** The anchor beside this name of the database, under which its owner opens it; else the one beside what a link leads to. */
function anchorBeside(file: string): string {
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
  return reportOn(reader, { chain, problem: found, checkedAtMs, anchored: namedBy(after) });
}

function checkHead(reader: LedgerReader, head: string | null) {
  return head === null || reader.withHash(head) !== null ? null : problem('head_not_found', null);
}
