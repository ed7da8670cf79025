import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock as clock } from '#core/platform/clock.ts';
import { verifyLedgerFile } from '#core/ledger/index.ts';
import { silentLogger as logger } from '#core/platform/logger.ts';
import { openDatabase } from '#core/store/sqlite/open-database.ts';
import { askForRestore, fetchBackup } from '#test/core/data-folder/hand-over.ts';
import { authors, notes } from '#test/core/store/sqlite/synthetic-schema.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import { startChild } from '#test/servers/child.ts';
import { integrityOf, readFile, readRows } from '#test/servers/stored-rows.ts';
import { problemsOf } from './inspect.ts';
import { openKilledCore } from './killed-core.ts';
import { composeUnattended } from '#test/servers/unattended-core.ts';
import { findKillPoints, type KillPoint, type KillPoints } from './kill-points.ts';
import { demoCampaigns, problemsOfNextStart } from './next-start.ts';

/** A program whose run is killed at each of its kill points. */
export interface Scenario {
  name: string;
  program: URL;
  /** Arguments after the folder and the data key. */
  args?: readonly string[];
  /** Makes the data folder on which the program starts. */
  prepare(folder: string): Promise<void>;
  /** Replaces the next start of a core, for folders that are not a core's. Returns the problems. */
  nextStart?(folder: string): Promise<string[]>;
}

const dataKey = 'ab'.repeat(32);
const starter = new URL('./starter.ts', import.meta.url);
/** Enough rows for a migration that changes many pages. */
const syntheticNotes = 400;
const notesFile = (folder: string) => join(folder, 'notes.sqlite');
const databases = ['countersign.sqlite', 'backend.sqlite'];

export const firstStart: Scenario = { name: 'first start', program: starter, prepare: async () => {} };

/** Both databases were replaced by their copies, which are not in WAL mode. */
export const restoredBackups: Scenario = {
  name: 'start on restored backups',
  program: starter,
  async prepare(folder) {
    const child = startChild(starter, [folder, dataKey]);
    if ((await child.ended) !== 0) throw new Error('The first start failed');
    for (const name of databases) {
      const file = join(folder, name);
      readFile(file, (db) => db.prepare('VACUUM INTO ?').run(`${file}.copy`));
      renameSync(`${file}.copy`, file);
    }
  },
};

/** A person has pressed Restore and the old core has ended. The start replaces the data with the backup. */
export const restoredBackup: Scenario = {
  name: 'start that restores a backup',
  program: starter,
  async prepare(folder) {
    const core = await composeUnattended({
      dataFolder: folder,
      dataKey: Buffer.from(dataKey, 'hex'),
      demoCampaigns,
    });
    await askForRestore(core, await fetchBackup(core));
    await core.handlers['agents.freeze']({});
    await core.dispose();
  },
  nextStart: async (folder) => [
    ...(await problemsOfNextStart(folder, { dataKey })),
    ...(await restoreProblems(folder)),
  ],
};

/**
 * Returns the problems of a restore: the backup must be in place, the previous folder must be kept, both ledgers must verify,
 * and no other files of the restore may be left.
 */
async function restoreProblems(folder: string): Promise<string[]> {
  const names = readdirSync(folder);
  const replaced = names.filter((name) => name.startsWith('replaced-'));
  const now = await verifyLedgerFile(join(folder, 'countersign.sqlite'));
  const before = await verifyLedgerFile(join(folder, replaced[0] ?? '', 'countersign.sqlite'));
  const [restore] = now.restores ?? [];
  return [
    ...(replaced.length === 1 ? [] : [`${replaced.length} replaced folders`]),
    ...(names.includes('restore') ? ['the restore was not completed'] : []),
    ...(now.restores?.length === 1 ? [] : [`${now.restores?.length ?? 0} rows of a restore`]),
    ...(before.state === 'verified' ? [] : ['the replaced ledger does not verify']),
    ...(restore?.previous?.head === before.head
      ? []
      : ['the row names another ledger than the replaced one']),
  ];
}

/** The second migration of a test database, which changes every row. It represents any migration of a release. */
export const secondMigration: Scenario = {
  name: 'second migration',
  program: new URL('./synthetic-migrator.ts', import.meta.url),
  async prepare(folder) {
    const { db, dispose } = openDatabase({ file: notesFile(folder), migrations: [notes], clock, logger });
    const add = db.prepare('INSERT INTO note VALUES (?)');
    for (let count = 0; count < syntheticNotes; count += 1) add.run('.'.repeat(500));
    await dispose();
  },
  async nextStart(folder) {
    const migrations = [notes, authors];
    const { db, setAside, dispose } = openDatabase({ file: notesFile(folder), migrations, clock, logger });
    const migrated = db.prepare("SELECT count(*) FROM note WHERE author = 'nobody'").pluck().get();
    await dispose();
    return [
      ...(setAside === null ? [] : [`set aside: ${setAside}`]),
      ...(migrated === syntheticNotes ? [] : [`${String(migrated)} notes`]),
      ...copyProblems(folder, 'notes.sqlite.backup-1-'),
    ];
  },
};

/** Work on three campaigns in a data folder that a start has made. */
export const workOnThree: Scenario[] = ['drafts', 'batch', 'csv'].map((work) => ({
  name: `work on ${work}`,
  program: new URL('./worker.ts', import.meta.url),
  args: [work],
  async prepare(folder) {
    const child = startChild(starter, [folder, dataKey]);
    if ((await child.ended) !== 0) throw new Error('The first start failed');
  },
  nextStart: async (folder) => [
    ...(await problemsOfNextStart(folder, { dataKey })),
    ...(await unsettled(folder)),
    ...(await problemsOf(folder, [])),
  ],
}));

/**
 * Settles the remains of the kill, and returns what would mislead a person: half of a step of drafts, or an unknown outcome.
 */
async function unsettled(folder: string): Promise<string[]> {
  const { core } = await openKilledCore({ folder, dataKey, aheadMs: 120_000 });
  try {
    const waiting = async () =>
      (await core.handlers['proposals.list']({ which: 'waiting', before: null, limit: 200 })).items;
    for (const { id, state } of await waiting())
      if (state === 'unknown') await core.handlers['proposals.settle']({ id });
    const open = (await waiting()).filter(({ state }) => !isUndecided(state));
    const { campaigns } = await core.handlers['drafts.get']({ cids: null });
    const changed = readRows<{ cid: number }>(
      join(folder, 'backend.sqlite'),
      "SELECT cid FROM campaign_payload WHERE json_extract(json, '$.name') LIKE 'kill-%'",
    );
    const known = new Set([...campaigns, ...changed].map(({ cid }) => cid));
    return [
      ...open.map(({ state }) => `a proposal is ${state}`),
      ...(known.size === 0 || known.size === 3
        ? []
        : [`${known.size} of three campaigns are drafted or changed`]),
    ];
  } finally {
    await core.dispose();
  }
}

/**
 * Returns the problems of copies: every copy must be intact and have the schema that its name states, and at least one copy
 * must have a name with this beginning.
 */
function copyProblems(folder: string, beginning: string): string[] {
  const copies = readdirSync(folder).filter((name) => name.includes('.backup-'));
  const broken = copies.flatMap((name) => {
    const result = integrityOf(join(folder, name));
    return result === 'ok' && /\.backup-\d+-\w+(-\d+)?$/.test(name) ? [] : [`${name}: ${result}`];
  });
  const isMade = copies.some((name) => name.startsWith(beginning));
  return isMade ? broken : ['no copy of the older database', ...broken];
}

/**
 * Finds the kill points of a scenario and returns the check of a point. `scratch` is an empty folder; the caller removes it.
 */
export async function openScenario(
  scenario: Scenario,
  scratch: string,
): Promise<KillPoints & { problemsAt(point: KillPoint): Promise<string[]> }> {
  const { program, args = [], prepare, nextStart } = scenario;
  const folder = join(scratch, 'data');
  const pool = join(scratch, 'pool');
  mkdirSync(pool);
  await prepare(folder);
  // A program that only migrates ignores the data key.
  const found = await findKillPoints({ program, args: [folder, dataKey, ...args], folder, pool });
  const target = join(scratch, 'killed');
  return {
    ...found,
    async problemsAt(point) {
      found.restore(point, target);
      try {
        if (nextStart !== undefined) return await nextStart(target);
        return await problemsOfNextStart(target, { dataKey });
      } finally {
        rmSync(target, { recursive: true });
      }
    },
  };
}
