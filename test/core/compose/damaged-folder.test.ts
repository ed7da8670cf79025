import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyLedgerFile } from '#core/ledger/index.ts';
import { catalogue, type EncodedError, type ErrorCode } from '#shared/errors/index.ts';
import { has } from '#test/servers/abilities.ts';
import { startChild } from '#test/servers/child.ts';
import { requireTool } from '#test/servers/require-tool.ts';
import { changeFile } from '#test/servers/stored-rows.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { composeUnattended } from '#test/servers/unattended-core.ts';

const app = 'countersign.sqlite';
const service = 'backend.sqlite';

/** A data folder as a first start leaves it. */
let sound = '';
/** Like {@link sound}, with a newer schema that is only in the write-ahead log of a killed process. */
let killedNewer = '';

const start = (dataFolder: string) => composeUnattended({ dataFolder, demoCampaigns: 20 });

beforeAll(async () => {
  const scratch = mkdtempSync(join(tmpdir(), 'countersign-damaged-'));
  sound = join(scratch, 'sound');
  killedNewer = join(scratch, 'killed');
  await (await start(sound)).dispose();
  const open = join(scratch, 'open');
  cpSync(sound, open, { recursive: true });
  changeFile(join(open, service), (db) => {
    db.pragma('user_version = 999');
    cpSync(open, killedNewer, { recursive: true });
  });
});
afterAll(() => rmSync(join(sound, '..'), { recursive: true }));

function copyOf(folder: string): string {
  const copy = join(tempFolder(), 'data');
  cpSync(folder, copy, { recursive: true });
  return copy;
}

function change(folder: string, name: string, sql: string): void {
  changeFile(join(folder, name), sql);
}

/** Returns the hash of each file in the folder. Only the log may differ after a refusal. */
function hashesOf(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }))
    .filter(({ path }) => !path.includes(`${sep}logs`));
  return Object.fromEntries(
    paths.map(({ entry, path }) => [
      path.slice(folder.length + 1),
      entry.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : 'folder',
    ]),
  );
}

const folderAt = (name: string) => (folder: string) => {
  rmSync(join(folder, name), { force: true });
  mkdirSync(join(folder, name));
};

const pipeAt = (name: string) => (folder: string) => {
  rmSync(join(folder, name), { force: true });
  execFileSync('mkfifo', [join(folder, name)]);
};

type Damage = [what: string, damage: (folder: string) => void, code: ErrorCode, words: string];

/** In each case the app database is older too, so that a start would migrate it if it did not check both databases first. */
const newerSchema: Damage[] = [
  ['a newer app database', (f) => change(f, app, 'PRAGMA user_version = 999'), 'schema_newer', ''],
  ['a newer service database', (f) => change(f, service, 'PRAGMA user_version = 999'), 'schema_newer', ''],
  [
    'a service database of an older build',
    (f) => change(f, service, 'PRAGMA user_version = 7'),
    'schema_older_build',
    `“${service}” has the schema number 7`,
  ],
  [
    'an app database of an older build',
    (f) => change(f, app, 'PRAGMA user_version = 8'),
    'schema_older_build',
    `“${app}” has the schema number 8`,
  ],
  ['an app database with schema -1', (f) => change(f, app, 'PRAGMA user_version = -1'), 'schema_unknown', ''],
  [
    'a service database with schema -1',
    (f) => change(f, service, 'PRAGMA user_version = -1'),
    'schema_unknown',
    '',
  ],
];

const occupied: Damage[] = [
  'lock.sqlite',
  'lock.sqlite-journal',
  'lock.json',
  app,
  `${app}-wal`,
  `${app}-shm`,
  `${app}-journal`,
  service,
  `${service}-wal`,
  'ledger.anchor.json',
  'ledger.anchor.json.new',
].map((name) => [
  `a folder in the place of ${name}`,
  folderAt(name),
  'path_occupied',
  `a folder in the place of a file of Countersign: “${name}”.`,
]);

const pipes: Damage[] = ['lock.sqlite', 'lock.json', app, `${app}-wal`, `${service}-journal`].map((name) => [
  `a pipe in the place of ${name}`,
  pipeAt(name),
  'path_occupied',
  `a pipe or a device in the place of a file of Countersign: “${name}”.`,
]);

test('the test data is right: the newer schema of the killed service is only in its log', () => {
  expect(existsSync(join(killedNewer, `${service}-wal`))).toBe(true);
  expect(readFileSync(join(killedNewer, service)).readInt32BE(60)).not.toBe(999);
});

describe('a data folder that must not be changed', () => {
  test.each<Damage>([
    ...newerSchema,
    [
      'a newer service database that was killed before its log was written back',
      (f) => {
        rmSync(f, { recursive: true });
        cpSync(killedNewer, f, { recursive: true });
      },
      'schema_newer',
      '',
    ],
    [
      'a lock file of random bytes',
      (f) => writeFileSync(join(f, 'lock.sqlite'), 'noise '.repeat(2000)),
      'lock_damaged',
      'lock file',
    ],
    [
      'a lock file of zeros',
      (f) => writeFileSync(join(f, 'lock.sqlite'), Buffer.alloc(8192)),
      'lock_damaged',
      'lock file',
    ],
  ])('with %s is refused by name, and every file stays unchanged', async (_what, damage, code, words) => {
    const folder = copyOf(sound);
    damage(folder);
    const before = hashesOf(folder);
    await expect(start(folder)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(words === '' ? catalogue[code].text : words) as string,
    });
    expect(hashesOf(folder)).toEqual(before);
  });

  test.each([...occupied, ...(has.linux ? pipes : [])])(
    'with %s is refused with a message that names it',
    async (_what, damage, code, words) => {
      const folder = copyOf(sound);
      damage(folder);
      await expect(start(folder)).rejects.toMatchObject({ code, message: `There is ${words}` });
    },
  );
});

describe('tables that do not match the schema number', () => {
  const cases: [what: string, name: string, sql: string, words: string][] = [
    ['an app database without a table', app, 'DROP TABLE profile', 'lacks the table profile'],
    ['an app database without its ledger', app, 'DROP TABLE ledger', 'lacks the table ledger'],
    [
      'an app database without a column',
      app,
      'ALTER TABLE setting RENAME COLUMN value TO other',
      'lacks the column value of the table setting',
    ],
    ['a service database without a table', service, 'DROP TABLE campaign_payload', 'campaign_payload'],
    ['an app database that claims to be new', app, 'PRAGMA user_version = 0', 'has the table'],
    ['a service database that claims to be new', service, 'PRAGMA user_version = 0', 'has the table'],
  ];

  test.each(cases)(
    '%s is refused, and missing or additional parts are named',
    async (_what, name, sql, words) => {
      const folder = copyOf(sound);
      change(folder, name, `PRAGMA foreign_keys = OFF; ${sql}`);
      const before = hashesOf(folder)[name];
      await expect(start(folder)).rejects.toMatchObject({
        code: 'schema_incomplete',
        message: expect.stringContaining(words) as string,
      });
      expect(hashesOf(folder)[name]).toBe(before);
      expect(readdirSync(folder).filter((file) => /corrupt|backup/.test(file))).toEqual([]);
    },
  );

  test('an unknown table is left unchanged', async () => {
    const folder = copyOf(sound);
    change(folder, app, 'CREATE TABLE notes_of_a_person (text TEXT)');
    const core = await start(folder);
    expect(core.info.setAsideFiles).toEqual([]);
    await core.dispose();
  });
});

/** Each case runs a program of its own, possibly on a busy machine. */
describe.runIf(has.linux)('a disk without room', () => {
  /** Runs the program on a small disk that is unmounted when the program ends. */
  async function onSmallDisk(kept: string, ready: string): Promise<{ start: unknown; verify: unknown }> {
    const mounted = tempFolder();
    const script = join(tempFolder(), 'on-small-disk.sh');
    const lines = [
      `mount -t tmpfs -o size=4m,mode=700 small "${mounted}" || { echo not_mounted; exit 1; }`,
      kept === '' ? '' : `cp -r "${kept}/." "${mounted}"`,
      ready.replaceAll('DISK', mounted),
      'exec "$@"',
    ];
    writeFileSync(script, lines.join('\n'));
    const user = process.getuid?.() === 0 ? [] : ['--map-root-user'];
    const child = startChild(
      new URL('./refused-start.ts', import.meta.url),
      [mounted],
      [requireTool('unshare'), '--mount', ...user, 'sh', script],
    );
    return Object.assign({}, ...(await child.rest()).map((line) => JSON.parse(line) as object)) as never;
  }

  const fill = (leftKiB: number) =>
    `head -c ${leftKiB}k /dev/zero > DISK/room; cat /dev/zero > DISK/ballast 2>/dev/null; rm DISK/room`;

  test.each([0, 16, 200])('a first start with %i KiB left reports a full disk', async (left) => {
    const { start: said } = await onSmallDisk('', fill(left));
    expect(said).toMatchObject({ code: 'disk_full', next: catalogue.disk_full.next });
  });

  test.each([0])(
    'a later start with %i KiB left reports a full disk, and the ledger still verifies',
    async (left) => {
      const { start: said, verify } = await onSmallDisk(sound, fill(left));
      expect(said).toMatchObject({ code: 'disk_full' });
      expect(verify).toBe('verified');
    },
  );

  test('a start on a read-only disk reports that, and the ledger still verifies', async () => {
    const { start: said, verify } = await onSmallDisk(sound, 'mount -o remount,bind,ro DISK');
    expect(said).toMatchObject({ code: 'disk_read_only', next: catalogue.disk_read_only.next });
    expect(verify).toBe('verified');
  });
});

describe('verify-ledger', () => {
  test.each([
    ['of a sound folder', () => copyOf(sound)],
    ['that a killed process left', () => copyOf(killedNewer)],
  ])('leaves every file %s unchanged', async (_what, make) => {
    const folder = make();
    const before = { ...hashesOf(folder), [`${app}-shm`]: '' };
    expect((await verifyLedgerFile(join(folder, app))).state).toBe('verified');
    expect({ ...hashesOf(folder), [`${app}-shm`]: '' }).toEqual(before);
  });

  test('keeps the write-ahead log of a database whose file is empty', async () => {
    const folder = copyOf(killedNewer);
    writeFileSync(join(folder, app), '');
    writeFileSync(join(folder, `${app}-wal`), 'rows of before');
    await expect(verifyLedgerFile(join(folder, app))).rejects.toMatchObject({ code: 'database_corrupt' });
    expect(readFileSync(join(folder, `${app}-wal`), 'utf8')).toBe('rows of before');
  });

  test.each([app, 'ledger.anchor.json'])('names a folder in place of %s', async (name) => {
    const folder = copyOf(sound);
    folderAt(name)(folder);
    await expect(verifyLedgerFile(join(folder, app))).rejects.toMatchObject({
      code: 'path_occupied',
      message: expect.stringContaining(name) as string,
    });
  });
});

test('each of these failures has its own message and advice', () => {
  const codes = [
    ...new Set<ErrorCode>([...newerSchema, ...occupied].map(([, , code]) => code)),
    ...(['lock_damaged', 'schema_incomplete', 'database_corrupt', 'disk_full', 'disk_read_only'] as const),
    'storage_failed' as const,
  ];
  const sentences: Pick<EncodedError, 'message' | 'next'>[] = codes.map((code) => ({
    message: catalogue[code].text,
    next: catalogue[code].next,
  }));
  expect(new Set(sentences.map(({ message }) => message)).size).toBe(codes.length);
  expect(new Set(sentences.map(({ next }) => next)).size).toBe(codes.length);
});
