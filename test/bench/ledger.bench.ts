import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyLedgerFile } from '#core/ledger/index.ts';
import { systemClock } from '#core/platform/clock.ts';
import { writeHistory } from '#test/fixtures/decision-history.ts';

const rows = 100_000;

/** Verifies a ledger of 100,000 rows, as `countersign verify-ledger` does. */
export async function run(): Promise<{ name: string; figure: number; unit: string; aim: string }[]> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  try {
    await writeHistory({ folder, dataKey: randomBytes(32), rows, days: 365 });
    const startedAt = systemClock.monotonicMs();
    const { state } = await verifyLedgerFile(join(folder, 'countersign.sqlite'));
    const seconds = (systemClock.monotonicMs() - startedAt) / 1_000;
    if (state !== 'verified') throw new Error(`The ledger is ${state}`);
    return [{ name: 'ledger of 100,000 rows, verified', figure: seconds, unit: 's', aim: 'under 6' }];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
