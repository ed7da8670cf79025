import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { AttemptView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';
import { changeFile } from '#test/servers/stored-rows.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { createPlayer, startMission, whileTimePasses } from './player.ts';
import { smallPlan } from './small-plan.ts';
import { openTraining } from './training-world.ts';
import { runs } from '#test/setup/property-runs.ts';

/** The files of a mission that was left, by name, in the data folder of training. */
interface LeftMission {
  folder: string;
  /** The same when it had just begun. */
  early: string;
  paths: Record<'mission' | 'training' | 'backend' | 'countersign', string>;
}

const root = mkdtempSync(join(tmpdir(), 'countersign-edited-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let made: Promise<LeftMission> | undefined;

/** Made once, by the first test that asks for it. */
const leftMission = (): Promise<LeftMission> => (made ??= leaveMission());

/** A person who approves everything, the fault included: the mission is worth nothing. It is left while a good change waits. */
async function leaveMission(): Promise<LeftMission> {
  const [folder, kept, early] = [tempFolder(), join(root, 'kept'), join(root, 'early')];
  const demoCampaigns = 20;
  const first = await startMission({
    folder,
    demoCampaigns,
    planMission: smallPlan(),
    answer: ({ id }) => (id === 'pause' ? 'leave' : 'approve'),
  });
  await first.world.core.handlers['training.begin']({});
  await first.world.core.dispose();
  cpSync(folder, early, { recursive: true });
  const second = await first.restart();
  const { handlers } = second.world.core;
  await second.player.until(
    async ({ decided }) => decided === 2 && (await handlers['session.status']({})).waiting === 1,
  );
  await second.world.core.dispose();
  cpSync(folder, kept, { recursive: true });
  const inWorkspace = join('workspaces', second.world.workspaces()[0] ?? '');
  return {
    folder: kept,
    early,
    paths: {
      mission: join(inWorkspace, 'mission.sqlite'),
      training: 'training.sqlite',
      backend: join(inWorkspace, 'backend.sqlite'),
      countersign: join(inWorkspace, 'countersign.sqlite'),
    },
  };
}

type FileName = keyof LeftMission['paths'];
const fileNames: readonly FileName[] = ['mission', 'training', 'backend', 'countersign'];

/** Edits the files of a copy, whose paths it is told. */
type Edit = (path: (name: FileName) => string, left: LeftMission) => void;

interface Outcome {
  attempts: AttemptView[];
  /** The code of the refusal to go on; null where the mission was played to its end. */
  refusal: string | null;
}

/** Edits a copy of what was left, goes on there, and approves what comes; discards the mission where it cannot go on. */
async function goOn(edit: Edit): Promise<Outcome> {
  const left = await leftMission();
  const folder = tempFolder();
  cpSync(left.folder, folder, { recursive: true });
  edit((name) => join(folder, left.paths[name]), left);
  const clock = createManualClock();
  let refusal: string | null = null;
  const refused = (failure: unknown): void => {
    refusal = failure instanceof AppError ? failure.code : String(failure);
  };
  const world = await openTraining({ folder, clock, demoCampaigns: 20, planMission: smallPlan() }).catch(
    refused,
  );
  if (world === undefined) return { attempts: [], refusal };
  const { handlers } = world.core;
  try {
    await whileTimePasses(clock, handlers['training.resume']({}));
    await createPlayer(world, clock, () => 'approve').play();
  } catch (failure) {
    refused(failure);
    await handlers['training.leave']({}).catch(() => undefined);
    await handlers['training.discard']({}).catch(() => undefined);
  }
  const attempts = await handlers['training.setName']({ name: 'Ada' }).then(
    (home) => home.attempts,
    () => [],
  );
  await world.core.dispose();
  return { attempts, refusal };
}

const pointsOf = ({ attempts }: Outcome): number =>
  attempts.reduce((sum, { score }) => sum + score.points, 0);

test('what was left goes on as it is, and is worth nothing', async () => {
  const { attempts, refusal } = await goOn(() => {});
  expect(refusal).toBeNull();
  expect(attempts).toMatchObject([{ score: { points: 0, missed: 1, fine: 2 } }]);
  expect(attempts[0]).not.toHaveProperty('incomplete');
});

describe('a mission does not go on, and counts as discarded or edited, when', () => {
  test.each<[string, Edit]>([
    ['its record was removed', (path) => rmSync(path('mission'))],
    ['its record is another text', (path) => writeFileSync(path('mission'), 'No database')],
    [
      'the parts of its record changed places',
      (path) => changeFile(path('mission'), 'UPDATE mission SET plan = progress'),
    ],
    ['its record has no row', (path) => changeFile(path('mission'), 'DELETE FROM mission')],
    [
      'its record is that of an earlier time',
      (path, { early, paths }) => cpSync(join(early, paths.mission), path('mission')),
    ],
    [
      'approvals of its ledger are called denials',
      (path) =>
        changeFile(
          path('countersign'),
          `UPDATE ledger SET kind = 'proposal.denied' WHERE kind = 'proposal.approved'`,
        ),
    ],
    [
      'the end of its ledger was cut off',
      (path) =>
        changeFile(path('countersign'), 'DELETE FROM ledger WHERE seq > (SELECT max(seq) / 2 FROM ledger)'),
    ],
    [
      'what waits was denied in the table alone',
      (path) =>
        changeFile(path('countersign'), `UPDATE proposal SET state = 'denied' WHERE state = 'withdrawn'`),
    ],
    [
      'its key is another one',
      (path) => changeFile(path('training'), 'UPDATE workspace SET data_key = randomblob(32)'),
    ],
    ['its folder is gone', (path) => rmSync(join(path('mission'), '..'), { recursive: true })],
  ])('%s', async (_name, edit) => {
    const { attempts, refusal } = await goOn(edit);
    expect(refusal).not.toBeNull();
    expect(attempts).toMatchObject([
      { name: 'Ada', mission: 'bids', score: { points: 0 }, incomplete: expect.any(String) as string },
    ]);
  });
});

test('an attempt that was edited, renamed or made up counts for nothing, and is counted as such', async () => {
  const { folder: kept, paths } = await leftMission();
  const folder = tempFolder();
  cpSync(kept, folder, { recursive: true });
  const world = await openTraining({ folder });
  const { handlers } = world.core;
  await handlers['training.discard']({});
  await world.core.dispose();
  const path = join(folder, paths.training);
  changeFile(
    path,
    `INSERT INTO attempt SELECT id || 'x', 'Ada', ended_at_ms, replace(attempt, '"points":0', '"points":100'), items, signature FROM attempt;
     INSERT INTO attempt SELECT id || 'y', 'Bo', ended_at_ms, attempt, items, signature FROM attempt LIMIT 1;`,
  );
  const again = await world.restart();
  expect(await again.core.handlers['training.home']({})).toMatchObject({
    attempts: [{ score: { points: 0 } }],
    editedAttempts: 1,
  });
  const bo = await again.core.handlers['training.setName']({ name: 'Bo' });
  expect(bo).toMatchObject({ attempts: [], editedAttempts: 1 });
});

interface RowEdit {
  table: number;
  column: number;
  row: number;
  /** Another row's value, nothing, another value, or no row. */
  how: 'null' | 'number' | 'text' | 'other row' | 'delete';
}

const rowEdit: fc.Arbitrary<RowEdit & { name: FileName }> = fc.record({
  name: fc.constantFrom(...fileNames),
  table: fc.nat(),
  column: fc.nat(),
  row: fc.nat(),
  how: fc.constantFrom('null', 'number', 'text', 'other row', 'delete'),
});

const byteEdit = fc.record({
  name: fc.constantFrom(...fileNames),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  by: fc.integer({ min: 1, max: 255 }),
});

/** Does nothing where the database refuses it. */
function editRow(path: string, { table, column, row, how }: RowEdit): void {
  try {
    changeFile(path, (db) => {
      const tables = db
        .prepare<[], string>(
          `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
        )
        .pluck()
        .all();
      const name = tables[table % tables.length] ?? '';
      const columns = db.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(name);
      const [key = '', changed = ''] = [columns[0], columns[column % columns.length]];
      const keys = db.prepare<[]>(`SELECT "${key}" FROM "${name}"`).pluck().all();
      const one = keys[row % Math.max(1, keys.length)];
      const other = keys[(row + 1) % Math.max(1, keys.length)];
      const values = {
        null: 'NULL',
        number: '1',
        text: `'let-through'`,
        'other row': `(SELECT "${changed}" FROM "${name}" WHERE "${key}" = :other)`,
        delete: '',
      };
      const sql =
        how === 'delete'
          ? `DELETE FROM "${name}" WHERE "${key}" = :one`
          : `UPDATE "${name}" SET "${changed}" = ${values[how]} WHERE "${key}" = :one`;
      db.prepare<[object]>(sql).run(how === 'other row' ? { one, other } : { one });
    });
  } catch {
    // A constraint of the table keeps it out, or an edit before has made it no database.
  }
}

test('no edit of a row or a byte, of whatever file, is worth a point', async () => {
  const { folder, paths } = await leftMission();
  expect(fileNames.every((name) => existsSync(join(folder, paths[name])))).toBe(true);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(rowEdit, byteEdit), { minLength: 1, maxLength: 3 }), async (edits) => {
      const outcome = await goOn((path) => {
        for (const { name, ...edit } of edits) {
          if ('how' in edit) {
            editRow(path(name), edit);
            continue;
          }
          const bytes = readFileSync(path(name));
          const at = Math.min(bytes.length - 1, Math.floor(edit.at * bytes.length));
          bytes[at] = (bytes[at] ?? 0) ^ edit.by;
          writeFileSync(path(name), bytes);
        }
      });
      expect(pointsOf(outcome)).toBe(0);
    }),
    runs(12),
  );
});
