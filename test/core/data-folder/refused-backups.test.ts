import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createBackend } from '#core/backend/index.ts';
import { type BackupHeader, parseBackupHeader, unpackBackup } from '#core/data-folder/backup-file.ts';
import { createIds } from '#core/platform/ids.ts';
import { silentLogger } from '#core/platform/logger.ts';
import { createWorld, proposeBid, type World } from '#test/core/proposals/world.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';
import { createLedgerReader } from '#core/store/app/ledger-rows.ts';
import { changeFile, readFile } from '#test/servers/stored-rows.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { app, fetchBackup, handOver, headerLength, repacked, service } from './hand-over.ts';

async function makeBackup(): Promise<Buffer> {
  const world = await createWorld({ campaigns: 5 });
  await proposeBid(world);
  return fetchBackup(world.core);
}

/** Uploads the backup, and expects a refusal with this code and no remaining files. */
async function expectRefused(world: World, backup: Buffer, code: string, what = ''): Promise<void> {
  const before = await world.core.handlers['ledger.report']({});
  await expect(handOver(world.core, backup), what).rejects.toMatchObject({ code });
  expect(readdirSync(world.folder)).not.toContain('restore');
  const { rows, head } = await world.core.handlers['ledger.report']({});
  expect({ rows, head }).toEqual({ rows: before.rows, head: before.head });
}

/** Expects that a restart restores nothing. Returns the restarted world. */
async function expectUntouched(world: World): Promise<World> {
  const { rows } = await world.core.handlers['ledger.report']({});
  const restarted = await world.restart();
  const after = await restarted.core.handlers['ledger.report']({});
  // The session has the same key, so the start adds no row.
  expect([after.rows, after.restores, after.state]).toEqual([rows, undefined, 'verified']);
  expect(await restarted.core.handlers['data.get']({})).toMatchObject({ lastRestore: null, replaced: [] });
  return restarted;
}

function withHeader(backup: Buffer, change: (header: BackupHeader) => object): Buffer {
  const header = parseBackupHeader(backup.subarray(0, headerLength));
  const line = `${JSON.stringify(change(header)).padEnd(headerLength - 1)}\n`;
  return Buffer.concat([Buffer.from(line, 'utf8'), backup.subarray(headerLength)]);
}

const withFile = (header: BackupHeader, at: number, change: object): BackupHeader => ({
  ...header,
  files: header.files.map((file, index) => (index === at ? { ...file, ...change } : file)),
});

describe('a file that is not an unchanged backup is refused, and nothing is replaced:', () => {
  test('a truncated or extended backup, a text, random bytes, and a backup with a changed byte', async () => {
    const world = await createWorld({ campaigns: 5 });
    const backup = await makeBackup();
    const { files } = parseBackupHeader(backup.subarray(0, headerLength));
    const [first = 0, second = 0] = files.map(({ packedBytes }) => packedBytes);
    const inner = [headerLength, headerLength + first, headerLength + first + second];
    const lengths = [0, 1, 100, ...inner.flatMap((at) => [at - 1, at, at + 1]), backup.length - 1];
    for (const length of lengths) await expectRefused(world, backup.subarray(0, length), 'backup_unreadable');
    await expectRefused(world, Buffer.concat([backup, Buffer.from('x')]), 'backup_unreadable');
    await expectRefused(world, Buffer.from('hello'), 'backup_unreadable');
    await expectRefused(world, randomBytes(400_000), 'backup_unreadable');
    const edited = Buffer.from(backup);
    edited[edited.length - 400] = (backup.at(-400) ?? 0) ^ 1;
    await expectRefused(world, edited, 'backup_damaged');
    await expectUntouched(world);
  });

  const headers: [string, (header: BackupHeader) => object, string][] = [
    ['a newer version', (header) => ({ ...header, version: 2 }), 'backup_newer'],
    ['a version of nothing', (header) => ({ ...header, version: 0 }), 'backup_unreadable'],
    ['one member more', (header) => ({ ...header, more: 1 }), 'backup_unreadable'],
    ['another name of a file', (header) => withFile(header, 2, { name: '../../evil' }), 'backup_unreadable'],
    ['a file twice', (header) => withFile(header, 2, { name: 'countersign.sqlite' }), 'backup_unreadable'],
    ['a file less', (header) => ({ ...header, files: header.files.slice(0, 2) }), 'backup_unreadable'],
    ['a moment that no date has', (header) => ({ ...header, madeAtMs: 9e15 }), 'backup_unreadable'],
    ['words for a version', (header) => ({ ...header, appVersion: '1.0 (verified)' }), 'backup_unreadable'],
    ['a negative size', (header) => withFile(header, 0, { bytes: -1 }), 'backup_unreadable'],
    ['more than any disk has room for', (header) => withFile(header, 2, { bytes: 2 ** 52 }), 'disk_full'],
    [
      'more content announced than follows',
      (header) => withFile(header, 2, { packedBytes: 10 ** 6 }),
      'backup_unreadable',
    ],
    ['another hash of a file', (header) => withFile(header, 1, { sha256: '0'.repeat(64) }), 'backup_damaged'],
    ['a smaller size of a file', (header) => withFile(header, 0, { bytes: 4096 }), 'backup_damaged'],
    ['a larger size of a file', (header) => withFile(header, 0, { bytes: 10 ** 6 }), 'backup_damaged'],
    [
      'another head of its ledger',
      (header) => ({ ...header, ledger: { ...header.ledger, head: '0'.repeat(64) } }),
      'backup_damaged',
    ],
    [
      'more rows of its ledger',
      (header) => ({ ...header, ledger: { ...header.ledger, rows: header.ledger.rows + 1 } }),
      'backup_damaged',
    ],
  ];

  test('a backup with a wrong header, or that unpacks to far more than its header states', async () => {
    const world = await createWorld({ campaigns: 5 });
    const backup = await makeBackup();
    for (const [what, change, code] of headers) {
      await expectRefused(world, withHeader(backup, change), code, what);
    }
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    const header = withHeader(backup, (honest) =>
      withFile(honest, 0, { bytes: 8192, packedBytes: bomb.length }),
    ).subarray(0, headerLength);
    const { files } = parseBackupHeader(header);
    const rest = backup.subarray(-(files[1]?.packedBytes ?? 0) - (files[2]?.packedBytes ?? 0));
    await expectRefused(world, Buffer.concat([header, bomb, rest]), 'backup_damaged');
    await expectUntouched(world);
  });

  test('a large file, after its first part', async () => {
    const world = await createWorld({ campaigns: 5 });
    const { id } = await world.core.handlers['data.restoreStart']({});
    const bytes = Buffer.alloc(headerLength, 'film').toString('base64');
    await expect(world.core.handlers['data.restorePart']({ id, bytes })).rejects.toMatchObject({
      code: 'backup_unreadable',
    });
    expect(readdirSync(world.folder)).not.toContain('restore');
    // Further parts are refused.
    await expect(world.core.handlers['data.restorePart']({ id, bytes })).rejects.toMatchObject({
      code: 'data_run_ended',
    });
  });
});

/** Returns the end of a ledger as a correct header states it. */
function endOf(file: string): BackupHeader['ledger'] {
  const end = readFile(file, (db) => createLedgerReader(db).last());
  if (end === null) throw new Error('The ledger is empty');
  return { rows: end.seq, head: end.hash };
}

describe('a backup that was edited and packed again with matching hashes is refused, and nothing is replaced:', () => {
  const edits: [string, (folder: string) => unknown, string][] = [
    [
      'a row of the ledger with other words',
      (folder) => changeFile(app(folder), "UPDATE ledger SET summary = 'Another' WHERE seq = 1"),
      'backup_damaged',
    ],
    [
      'a ledger without a row in the middle',
      (folder) => changeFile(app(folder), 'DELETE FROM ledger WHERE seq = 2'),
      'backup_damaged',
    ],
    ['an empty ledger', (folder) => changeFile(app(folder), 'DELETE FROM ledger'), 'backup_damaged'],
    [
      'an anchor that is no anchor',
      (folder) => writeFileSync(join(folder, 'ledger.anchor.json'), '{}'),
      'backup_damaged',
    ],
    [
      'a schema of a newer version',
      (folder) => changeFile(app(folder), 'PRAGMA user_version = 9999'),
      'backup_newer',
    ],
    [
      'a service of a newer version',
      (folder) => changeFile(service(folder), 'PRAGMA user_version = 9999'),
      'backup_newer',
    ],
    [
      'a schema of no version',
      (folder) => changeFile(app(folder), 'PRAGMA user_version = 0'),
      'backup_damaged',
    ],
    [
      'a schema below every version',
      (folder) => changeFile(app(folder), 'PRAGMA user_version = -1'),
      'backup_damaged',
    ],
    [
      'a schema of an older build',
      (folder) => changeFile(service(folder), 'PRAGMA user_version = 1'),
      'backup_damaged',
    ],
    ['no database', (folder) => writeFileSync(app(folder), 'no database'), 'backup_damaged'],
    [
      'an empty file in place of a database',
      (folder) => writeFileSync(service(folder), ''),
      'backup_damaged',
    ],
    [
      'a database that lost its second half',
      (folder) => writeFileSync(app(folder), readFileSync(app(folder)).subarray(0, 64 * 1024)),
      'backup_damaged',
    ],
    ['a table less', (folder) => changeFile(app(folder), 'DROP TABLE draft'), 'backup_damaged'],
    ['a table more', (folder) => changeFile(app(folder), 'CREATE TABLE more (x)'), 'backup_damaged'],
    [
      'a view in place of a table',
      (folder) =>
        changeFile(
          app(folder),
          'ALTER TABLE setting RENAME TO setting2; CREATE VIEW setting AS SELECT * FROM setting2',
        ),
      'backup_damaged',
    ],
    [
      'a trigger that approves again',
      (folder) =>
        changeFile(
          app(folder),
          "CREATE TRIGGER again AFTER UPDATE ON proposal WHEN new.state = 'withdrawn' BEGIN UPDATE proposal SET state = 'approved' WHERE id = new.id; END",
        ),
      'backup_damaged',
    ],
    [
      'a trigger in the service',
      (folder) =>
        changeFile(service(folder), 'CREATE TRIGGER again AFTER DELETE ON oauth_row BEGIN SELECT 1; END'),
      'backup_damaged',
    ],
    [
      'proposals that cannot be read',
      (folder) => changeFile(app(folder), "UPDATE proposal SET details = x'00'"),
      'backup_damaged',
    ],
    [
      'a service without accounts',
      (folder) => changeFile(service(folder), 'PRAGMA foreign_keys = OFF; DELETE FROM member'),
      'backup_damaged',
    ],
    ['the service of another tenant', putOtherTenant, 'backup_damaged'],
    [
      'a proposal that replaces itself',
      (folder) =>
        changeFile(
          app(folder),
          "UPDATE proposal SET state = 'expired', progress = json_object('replacedBy', id)",
        ),
      'backup_damaged',
    ],
    [
      'a call of a proposal that is absent',
      (folder) =>
        changeFile(
          app(folder),
          "PRAGMA foreign_keys = OFF; INSERT INTO agent_call VALUES ('none', 'a', 's', NULL, 'h', NULL, NULL)",
        ),
      'backup_damaged',
    ],
  ];

  test('with a change in its ledger, its anchor, its databases or their rules', async () => {
    const world = await createWorld({ campaigns: 5 });
    const backup = await makeBackup();
    for (const [what, change, code] of edits) {
      await expectRefused(world, await repacked(backup, change), code, what);
    }
    await expectUntouched(world);
  });

  test('with a ledger without its last rows and a matching header, or with the anchor of another backup', async () => {
    const world = await createWorld({ campaigns: 5 });
    const backup = await makeBackup();
    let end = { rows: 0, head: '' };
    const cut = await repacked(
      backup,
      (folder) => {
        changeFile(app(folder), 'DELETE FROM ledger WHERE seq = (SELECT max(seq) FROM ledger)');
        end = endOf(app(folder));
      },
      () => end,
    );
    expect(end.rows).toBeGreaterThan(0);
    await expectRefused(world, cut, 'backup_damaged');

    const folder = tempFolder();
    const other = await makeBackup();
    const from = join(folder, 'other');
    writeFileSync(from, other);
    await unpackBackup(from, parseBackupHeader(other.subarray(0, headerLength)), folder);
    const anchor = readFileSync(join(folder, 'ledger.anchor.json'));
    const mixed = await repacked(backup, (target) =>
      writeFileSync(join(target, 'ledger.anchor.json'), anchor),
    );
    await expectRefused(world, mixed, 'backup_damaged');
    const { core } = await expectUntouched(world);
    // An intact backup that was packed again is accepted.
    const { found } = await handOver(core, await repacked(backup, () => undefined));
    expect(found.ledger.rows).toBeGreaterThan(1);
  });
});

/** Writes the database of `countersign serve --tenant meridian`. */
async function putOtherTenant(folder: string): Promise<void> {
  const file = join(folder, 'meridian.sqlite');
  const clock = createManualClock();
  await createBackend({
    tenant: 'meridian',
    file,
    clock,
    ids: createIds(clock.nowMs),
    logger: silentLogger,
    campaigns: 5,
    consent: { kind: 'answered', clients: [], answer: () => ({ kind: 'denied' }) },
  }).dispose();
  changeFile(file, 'PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE;');
  writeFileSync(service(folder), readFileSync(file));
}
