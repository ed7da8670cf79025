import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { verifyLedgerFile } from '#core/ledger/index.ts';
import type { ErrorCode } from '#shared/errors/index.ts';
import { has } from '#test/servers/abilities.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import {
  anchorIn,
  appendEntries,
  copyOf,
  databaseIn,
  entry,
  openLedger,
  readAnchor,
  rewriteRows,
  type OpenLedger,
} from './fixture.ts';

const key = randomBytes(32);

function appendTogether({ store, ledger }: OpenLedger, count: number): void {
  store.transaction(() => {
    for (let number = 0; number < count; number += 1) ledger.append(entry(number));
  });
}

/** Tests an anchor whose new file cannot be written, because `block` obstructs its path. */
function testObstacle(block: (fresh: string) => void, code: ErrorCode): void {
  test('is reported immediately, at the next start, and until the cause is gone', async () => {
    const folder = tempFolder();
    const open = openLedger(folder, key);
    const fresh = `${anchorIn(folder)}.new`;
    expect(open.ledger.report().anchorFailedSinceMs).toBeNull();
    block(fresh);
    appendTogether(open, 3);
    const failing = {
      state: 'verified',
      rows: 4,
      anchored: 1,
      anchorFailedSinceMs: expect.any(Number) as number,
    };
    expect(open.ledger.report()).toMatchObject(failing);
    expect(await open.ledger.verify()).toMatchObject(failing);
    await open.close();

    const second = openLedger(folder, key);
    expect(second.ledger.report()).toMatchObject(failing);
    rmSync(fresh, { recursive: true });
    expect(second.ledger.report()).toMatchObject({ anchored: 4, anchorFailedSinceMs: null });
    expect(readAnchor(folder).count).toBe(4);
  });

  test('stops all recording, so that no second change is without an anchor', () => {
    const folder = tempFolder();
    const open = openLedger(folder, key);
    const fresh = `${anchorIn(folder)}.new`;
    block(fresh);
    appendTogether(open, 2);
    expect(() => appendTogether(open, 1)).toThrow(expect.objectContaining({ code }));
    expect(open.ledger.report()).toMatchObject({ rows: 3, anchored: 1 });

    rmSync(fresh, { recursive: true });
    appendTogether(open, 1);
    expect(open.ledger.report()).toMatchObject({ rows: 4, anchored: 4, anchorFailedSinceMs: null });
  });

  test('before the first row leaves the ledger empty, is reported, and is made up for later', async () => {
    const folder = tempFolder();
    const fresh = `${anchorIn(folder)}.new`;
    block(fresh);
    const failing = { rows: 0, anchored: null, anchorFailedSinceMs: expect.any(Number) as number };
    for (let start = 0; start < 2; start += 1) {
      const open = openLedger(folder, randomBytes(32));
      expect(open.ledger.report()).toMatchObject({ state: 'verified', ...failing });
      expect(await open.ledger.verify()).toMatchObject({ state: 'verified', ...failing });
      expect(() => appendTogether(open, 1)).toThrow(expect.objectContaining({ code }));
      expect(open.store.ledger.countRows()).toBe(0);
      await open.close();
    }

    const changes: number[] = [];
    const open = openLedger(folder, key, () => changes.push(open.store.ledger.count()));
    rmSync(fresh, { recursive: true });
    expect(open.ledger.report()).toMatchObject({ rows: 1, anchored: 1, anchorFailedSinceMs: null });
    expect(changes).toContain(1);
    appendTogether(open, 2);
    expect(await open.ledger.verify()).toMatchObject({ state: 'verified', rows: 3, anchored: 3 });
  });
}

describe('an anchor that cannot be written', () => {
  describe.runIf(has.linux)('because the disk is full', () => {
    // Every write to /dev/full fails as on a full disk.
    testObstacle((fresh) => symlinkSync('/dev/full', fresh), 'disk_full');
  });

  describe.runIf(has.links)('because its folder is missing', () => {
    testObstacle((fresh) => symlinkSync('/nowhere/at/all', fresh), 'storage_failed');
  });

  test.runIf(has.links)(
    'the first recorded change starts the ledger if it has no rows yet, and rolls that back if it fails',
    async () => {
      const folder = tempFolder();
      const fresh = `${anchorIn(folder)}.new`;
      symlinkSync('/nowhere/at/all', fresh);
      const open = openLedger(folder, key);
      rmSync(fresh);
      const secondThoughts = (): unknown =>
        open.store.transaction(() => {
          open.ledger.append(entry(1));
          throw new Error('second thoughts');
        });
      expect(secondThoughts).toThrow('second thoughts');
      expect(open.store.ledger.countRows()).toBe(0);
      appendTogether(open, 2);
      appendTogether(open, 1);
      const begun = { state: 'verified', rows: 4, anchored: 4, anchorFailedSinceMs: null };
      expect(await open.ledger.verify()).toMatchObject(begun);
      await open.close();
      expect(await verifyLedgerFile(databaseIn(folder))).toMatchObject({ state: 'verified', rows: 4 });
      expect(openLedger(folder, key).ledger.report()).toMatchObject(begun);
    },
  );

  test('a folder in the place of the new anchor file is reported immediately and named at the next start', async () => {
    const folder = tempFolder();
    const open = openLedger(folder, key);
    const fresh = `${anchorIn(folder)}.new`;
    mkdirSync(fresh);
    appendTogether(open, 3);
    expect(open.ledger.report()).toMatchObject({
      state: 'verified',
      anchored: 1,
      anchorFailedSinceMs: expect.any(Number) as number,
    });
    await open.close();
    expect(() => openLedger(folder, key)).toThrow('ledger.anchor.json.new');
  });

  test('a folder in the place of the anchor makes the ledger broken', () => {
    const folder = tempFolder();
    const open = openLedger(folder, key);
    rmSync(anchorIn(folder));
    mkdirSync(anchorIn(folder));
    appendTogether(open, 1);
    expect(open.ledger.report()).toMatchObject({
      state: 'broken',
      problem: { code: 'anchor_unreadable' },
      anchorFailedSinceMs: expect.any(Number) as number,
    });
  });
});

describe('an anchor that is behind', () => {
  test('by the rows of one transaction, as after a crash, verifies and is caught up', async () => {
    const folder = tempFolder();
    const open = openLedger(folder, key);
    appendEntries(open, 2);
    const behind = copyOf(folder);
    appendTogether(open, 5);
    await open.close();
    copyFileSync(anchorIn(behind), anchorIn(folder));
    expect(await verifyLedgerFile(databaseIn(folder))).toMatchObject({
      state: 'verified',
      rows: 8,
      anchored: 3,
    });
  });

  test('by the rows of one transaction and a new key verifies', async () => {
    const folder = tempFolder();
    const clock = createManualClock();
    const open = openLedger(folder, key, undefined, clock);
    const behind = copyOf(folder);
    appendTogether(open, 2);
    await open.close();
    clock.advance(3);
    await openLedger(folder, randomBytes(32), undefined, clock).close();
    copyFileSync(anchorIn(behind), anchorIn(folder));
    expect(await verifyLedgerFile(databaseIn(folder))).toMatchObject({
      state: 'verified',
      rows: 4,
      anchored: 1,
    });
  });

  const behind = { state: 'broken', problem: { code: 'anchor_behind' } };

  test('by two transactions cannot be explained by a crash and is reported by verify-ledger, the page and the start', async () => {
    const folder = tempFolder();
    const open = openLedger(folder, key);
    const old = copyOf(folder);
    appendEntries(open, 2);
    copyFileSync(anchorIn(old), anchorIn(folder));
    expect(open.ledger.report()).toMatchObject(behind);
    expect(await open.ledger.verify()).toMatchObject(behind);
    expect(await verifyLedgerFile(databaseIn(folder))).toMatchObject(behind);
    await open.close();
    const second = openLedger(folder, key);
    expect(second.ledger.report()).toMatchObject(behind);
    expect(() => appendTogether(second, 1)).toThrow(expect.objectContaining({ code: 'ledger_broken' }));
    expect(readAnchor(folder).count).toBe(1);
  });

  test('does not hide that later rows were cut off', async () => {
    const folder = tempFolder();
    const open = openLedger(folder, key);
    appendEntries(open, 3);
    const old = copyOf(folder);
    appendEntries(open, 20);
    await open.close();
    copyFileSync(anchorIn(old), anchorIn(folder));
    rewriteRows(folder, (rows) => rows.slice(0, 10));
    expect(await verifyLedgerFile(databaseIn(folder))).toMatchObject(behind);
  });
});

test('the rows of one transaction have the same time, and the next transaction has another time', () => {
  const open = openLedger(tempFolder(), key);
  for (let round = 0; round < 20; round += 1) appendTogether(open, 3);
  const times = open.store.ledger.after(1, 100).map(({ atMs }) => atMs);
  const runs = times.filter((atMs, index) => atMs !== times[index - 1]);
  expect(runs).toHaveLength(20);
  expect(new Set(times.slice(0, 3)).size).toBe(1);
});

test('the time of a transaction that was rolled back is not used again', () => {
  const clock = createManualClock();
  const open = openLedger(tempFolder(), key, undefined, clock);
  expect(() =>
    open.store.transaction(() => {
      open.ledger.append(entry(1));
      throw new Error('second thoughts');
    }),
  ).toThrow('second thoughts');
  clock.advance(20);
  appendTogether(open, 1);
  expect(open.store.ledger.last()?.atMs).toBe(clock.nowMs());
});
