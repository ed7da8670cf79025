import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createLedger, verifyLedgerFile } from '#core/ledger/index.ts';
import { systemClock } from '#core/platform/clock.ts';
import { silentLogger } from '#core/platform/logger.ts';
import { createSealer, createSecrets } from '#core/profiles/index.ts';
import { openAppStore } from '#core/store/app/index.ts';
import { has } from '#test/servers/abilities.ts';
import { expectMode } from '#test/servers/file-mode.ts';
import { readRows } from '#test/servers/stored-rows.ts';
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
  tamper,
  unpackLedger,
} from './fixture.ts';
import { everyRow } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';

const key = randomBytes(32);
const broken = expect.objectContaining({ code: 'ledger_broken' }) as Error;

describe('a ledger entry', () => {
  test('is recorded together with the state that it belongs to, or not at all', () => {
    const open = openLedger(tempFolder(), key);
    const { store, ledger } = open;
    expect(() =>
      store.transaction(() => {
        store.settings.set('state', 'approved');
        ledger.append(entry(1));
        throw new Error('second thoughts');
      }),
    ).toThrow('second thoughts');
    expect(store.settings.get('state')).toBeNull();
    expect(ledger.report()).toMatchObject({ state: 'verified', rows: 1 });

    store.transaction(() => {
      store.settings.set('state', 'approved');
      ledger.append(entry(1));
    });
    expect(ledger.report()).toMatchObject({ state: 'verified', rows: 2 });
  });

  test('is refused while the key of a new ledger cannot be stored', () => {
    const store = openAppStore({ folder: tempFolder(), clock: systemClock, logger: silentLogger });
    onTestFinished(() => store.dispose());
    const write = (): never => {
      throw new AppError('storage_failed');
    };
    const keys = { read: () => null, write };
    const open = () =>
      createLedger({ store, keys, clock: systemClock, logger: silentLogger, onChange: () => {} });
    expect(open).toThrow(expect.objectContaining({ code: 'storage_failed' }) as Error);
  });

  test('needs a transaction', () => {
    const { ledger } = openLedger(tempFolder(), key);
    expect(() => ledger.append(entry(1))).toThrow('outside a transaction');
    expect(ledger.report().rows).toBe(1);
  });

  test('costs the same however long the ledger is, because no row is counted', () => {
    const { store, ledger } = openLedger(tempFolder(), key);
    const { count } = store.ledger;
    let counted = 0;
    store.ledger.count = () => {
      counted += 1;
      return count();
    };
    store.transaction(() => ledger.append(entry(1)));
    expect(counted).toBe(0);
    expect(ledger.report().rows).toBe(2);
    expect(counted).toBeGreaterThan(0);
  });

  test('that was read before its rollback does not make the ledger suspect', () => {
    const { store, ledger } = openLedger(tempFolder(), key);
    expect(() =>
      store.transaction(() => {
        ledger.append(entry(1));
        ledger.report();
        throw new Error('second thoughts');
      }),
    ).toThrow('second thoughts');
    store.transaction(() => ledger.append(entry(2)));
    expect(ledger.report()).toMatchObject({ state: 'verified', rows: 2 });
  });

  test('is listed newest first, with its changes and verdicts', () => {
    const { store, ledger } = openLedger(tempFolder(), key);
    const verdict = { field: 'payout', label: 'Bid', verdict: 'stored', sent: '$0.045', found: '$0.045' };
    store.transaction(() => {
      ledger.append(entry(1));
      ledger.append({ ...entry(2), body: { verdicts: [verdict] } });
      ledger.append({ ...entry(3), body: { verdicts: 'none of this form' } });
    });
    const { items, total } = ledger.list({ beforeSeq: null, limit: 3, filter: everyRow });
    expect(total).toBe(4);
    expect(items.map(({ seq, verdicts }) => [seq, verdicts])).toEqual([
      [4, []],
      [3, [verdict]],
      [2, []],
    ]);
    expect(items[1]).toMatchObject({ previousHash: items[2]?.hash, actor: 'You', via: 'browser' });
    expect(ledger.list({ beforeSeq: null, limit: 9, filter: { ...everyRow, proposalId: 'p2' } }).total).toBe(
      1,
    );
  });

  test('is announced once for each commit, after its anchor is written', async () => {
    const folder = tempFolder();
    const counts: number[] = [];
    const { store, ledger, close } = openLedger(folder, key, () => counts.push(readAnchor(folder).count));
    counts.length = 0;
    store.transaction(() => {
      ledger.append(entry(1));
      ledger.append(entry(2));
    });
    expect(counts).toEqual([3]);
    await close();
  });
});

describe('the anchor', () => {
  test('names the last row, and is readable by its owner only', () => {
    const folder = tempFolder();
    const open = openLedger(folder, key);
    appendEntries(open, 3);
    const { rows, head } = open.ledger.report();
    expect(readAnchor(folder)).toMatchObject({ count: rows, head });
    expectMode(anchorIn(folder), 0o600);
  });

  test('is brought up to date at the next start after a crash', async () => {
    const folder = tempFolder();
    const first = openLedger(folder, key);
    const behind = copyOf(folder);
    first.store.transaction(() => {
      first.ledger.append(entry(1));
      first.ledger.append(entry(2));
    });
    await first.close();
    copyFileSync(anchorIn(behind), anchorIn(folder));

    const second = openLedger(folder, key);
    expect(readAnchor(folder).count).toBe(3);
    expect(await second.ledger.verify()).toMatchObject({ state: 'verified', rows: 3 });
  });
});

describe('a new start', () => {
  test('continues with the same key if it can open it', async () => {
    const folder = tempFolder();
    await openLedger(folder, key).close();
    const { ledger } = openLedger(folder, key);
    expect(ledger.report()).toMatchObject({ rows: 1, keys: [{ fromSeq: 1, endorsed: true }] });
  });

  test('introduces a new key if the earlier key was lost with its session', async () => {
    const folder = tempFolder();
    const first = openLedger(folder, key);
    appendEntries(first, 2);
    await first.close();
    const second = openLedger(folder, randomBytes(32));
    appendEntries(second, 1);
    await second.close();
    const third = openLedger(folder, randomBytes(32));
    const report = await third.ledger.verify();
    expect(report).toMatchObject({ state: 'verified', rows: 6 });
    expect(report.keys.map(({ fromSeq, endorsed }) => [fromSeq, endorsed])).toEqual([
      [1, true],
      [4, false],
      [6, false],
    ]);
  });

  test('with another data key keeps the sealed key that it cannot open', async () => {
    const folder = tempFolder();
    const first = openLedger(folder, key);
    const keyId = first.store.ledger.introductions().at(-1)?.keyId ?? '';
    const place = ['app', `ledger-key:${keyId}`] as const;
    const sealed = first.store.secrets.get(...place);
    await first.close();
    const session = openLedger(folder, randomBytes(32));
    appendEntries(session, 1);
    await session.close();
    const { store } = openLedger(folder, key);
    expect(sealed).not.toBeNull();
    expect(store.secrets.get(...place)).toEqual(sealed);
    const secrets = createSecrets({ store, sealer: createSealer(key) });
    expect(secrets.read({ profile: place[0], name: place[1] })).not.toBeNull();
  });

  test('begins the ledger again if the earlier start ended before the first row', () => {
    const folder = tempFolder();
    writeFileSync(
      anchorIn(folder),
      JSON.stringify({ count: 0, head: '0'.repeat(64), keyId: 'gone', signature: '' }),
    );
    expect(openLedger(folder, key).ledger.report()).toMatchObject({ state: 'verified', rows: 1 });
  });

  test('after a damaged database names the ledger that came before', async () => {
    const folder = tempFolder();
    const first = openLedger(folder, key);
    appendEntries(first, 4);
    const { head } = first.ledger.report();
    await first.close();
    writeFileSync(databaseIn(folder), 'noise'.repeat(5000));

    const second = openLedger(folder, key);
    expect(second.ledger.report()).toMatchObject({ state: 'verified', rows: 1 });
    const [genesis] = second.ledger.list({ beforeSeq: null, limit: 1, filter: everyRow }).items;
    const { follows } = JSON.parse(String(genesis?.body)) as { follows: Record<string, unknown> };
    expect(follows).toEqual({ database: expect.stringContaining('.corrupt-') as string, count: 5, head });
    expect(existsSync(`${second.store.setAside}.anchor.json`)).toBe(true);
  });
});

describe('a ledger that was tampered with', () => {
  test('refuses new rows at the next start and is left unchanged', async () => {
    const folder = tempFolder();
    const first = openLedger(folder, key);
    appendEntries(first, 4);
    await first.close();
    rewriteRows(folder, (rows) => rows.slice(0, 3));
    const anchor = readFileSync(anchorIn(folder));

    const { store, ledger } = openLedger(folder, key);
    expect(() => store.transaction(() => ledger.append(entry(9)))).toThrow(broken);
    expect(ledger.report()).toMatchObject({ state: 'broken', rows: 3, problem: { code: 'rows_cut' } });
    expect(readFileSync(anchorIn(folder)).equals(anchor)).toBe(true);
  });

  test('refuses new rows if its anchor is missing', async () => {
    const folder = tempFolder();
    await openLedger(folder, key).close();
    rmSync(anchorIn(folder));
    const { store, ledger } = openLedger(folder, key);
    expect(() => store.transaction(() => ledger.append(entry(9)))).toThrow(broken);
    expect(existsSync(anchorIn(folder))).toBe(false);
  });

  test('in an early row is detected in the background and refuses new rows from then on', async () => {
    const folder = tempFolder();
    const first = openLedger(folder, key);
    first.store.transaction(() => {
      for (let number = 0; number < 500; number += 1) first.ledger.append(entry(number));
    });
    await first.close();
    tamper(folder, (db) => db.exec("UPDATE ledger SET actor = 'Nobody' WHERE seq = 450"));

    const { store, ledger } = openLedger(folder, key);
    expect(ledger.report().state).toBe('unchecked');
    const report = await ledger.verify();
    expect(report).toMatchObject({ state: 'broken', problem: { seq: 450, code: 'row_unreadable' } });
    expect(() => store.transaction(() => ledger.append(entry(9)))).toThrow(broken);
  });

  test('while the program runs is detected at the next check', () => {
    const folder = tempFolder();
    const open = openLedger(folder, key);
    appendEntries(open, 3);
    expect(open.ledger.report().state).toBe('verified');
    tamper(folder, (db) => db.exec('DELETE FROM ledger WHERE seq = 4'));
    expect(open.ledger.report()).toMatchObject({ state: 'broken', problem: { seq: 4, code: 'rows_cut' } });
  });
});

test('verification lets other work run between rows', async () => {
  const { store, ledger } = openLedger(tempFolder(), key);
  store.transaction(() => {
    for (let number = 0; number < 1000; number += 1) ledger.append(entry(number));
  });
  let turns = 0;
  const verified = ledger.verify();
  for (let ended = false; !ended; turns += 1) {
    ended = await Promise.race([verified.then(() => true), setImmediate(false)]);
  }
  expect(await verified).toMatchObject({ state: 'verified', rows: 1001 });
  expect(turns).toBeGreaterThan(3);
});

test.each([1, 199, 200, 201, 450])(
  'a ledger of %i rows verifies during writes and accepts new rows afterwards',
  async (count) => {
    const opened = openLedger(tempFolder(), key);
    appendEntries(opened, count);
    const { ledger } = opened;
    const verified = ledger.verify();
    for (let ended = false; !ended;) {
      appendEntries(opened, 1);
      ended = await Promise.race([verified.then(() => true), setImmediate(false)]);
    }
    // The row appended last may not have been checked yet.
    expect((await verified).state).not.toBe('broken');
    appendEntries(opened, 1);
    expect(await ledger.verify()).toMatchObject({ state: 'verified', rows: ledger.report().rows });
  },
);

test('a ledger can be verified from outside during writes', async () => {
  const folder = tempFolder();
  const open = openLedger(folder, key);
  appendEntries(open, 50);
  for (let round = 0; round < 5; round += 1) {
    const outside = verifyLedgerFile(databaseIn(folder));
    appendEntries(open, 10);
    expect((await outside).state).toBe('verified');
  }
});

describe.runIf(has.links)('a ledger is verified through a link to its database', () => {
  test('that is open, with log and anchor next to the real file', async () => {
    const folder = tempFolder();
    appendEntries(openLedger(folder, key), 5);
    const link = join(tempFolder(), 'ledger.sqlite');
    symlinkSync(databaseIn(folder), link);
    expect(await verifyLedgerFile(link)).toMatchObject({ state: 'verified', rows: 6 });
  });

  test('in a data folder, with the anchor next to the link', async () => {
    const folder = tempFolder();
    symlinkSync(databaseIn(tempFolder()), databaseIn(folder));
    appendEntries(openLedger(folder, key), 5);
    expect(await verifyLedgerFile(databaseIn(folder))).toMatchObject({ state: 'verified', rows: 6 });
  });
});

test('a ledger from before rows were packed verifies unchanged, and continues with packed rows', async () => {
  const folder = tempFolder();
  const dataKey = randomBytes(32);
  const first = openLedger(folder, dataKey);
  appendEntries(first, 5);
  const { head } = first.ledger.report();
  await first.close();
  unpackLedger(folder, 'DROP TABLE pause_return; PRAGMA user_version = 14');
  expect(await verifyLedgerFile(databaseIn(folder))).toMatchObject({ state: 'verified', rows: 6, head });

  const later = openLedger(folder, dataKey);
  appendEntries(later, 2);
  expect(await later.ledger.verify()).toMatchObject({ state: 'verified', rows: 8 });
  expect(later.store.ledger.at(7)).toMatchObject({ previousHash: head, actor: 'You', via: 'browser' });
  await later.close();
  const packed = readRows<{ packed: Buffer | null }>(
    databaseIn(folder),
    'SELECT packed FROM ledger ORDER BY seq',
  );
  expect(packed.map((row) => row.packed !== null)).toEqual([...Array<boolean>(6).fill(false), true, true]);
  expect(await verifyLedgerFile(databaseIn(folder), { head })).toMatchObject({ state: 'verified', rows: 8 });
});
