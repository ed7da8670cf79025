import { join } from 'node:path';
import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import { AppError } from '#shared/errors/index.ts';
import type { MissionPlan, StepEnd } from '#shared/training/index.ts';
import {
  type Database,
  guardParts,
  type Migration,
  openDatabase,
  withStorageErrors,
} from '../sqlite/index.ts';

/** The record of a mission in the folder of its workspace; removed with it. */
const recordName = 'mission.sqlite';

const migrations: Migration[] = [
  {
    number: 1,
    name: 'the mission and its progress',
    up(db) {
      db.exec(`
        CREATE TABLE mission (
          place INTEGER PRIMARY KEY CHECK (place = 1),
          plan BLOB NOT NULL,
          progress BLOB NOT NULL
        ) STRICT;
      `);
    },
  },
];

export interface StoredMission {
  /** The name that trains. */
  name: string;
  plan: MissionPlan;
  madeAtMs: number;
  /** When the agent began; null before that. */
  beganAtMs: number | null;
  /** Time that is left of the limit, as of the latest entry; null without a limit, or before the first proposal. */
  leftMs: number | null;
}

/** Progress of a step so far. */
export interface StoredStep {
  id: string;
  /** Its latest proposal; null before it was proposed. */
  proposalId: string | null;
  /** The sentence of the confirmation; null before it was proposed. */
  title: string | null;
  /** When this proposal was shown first. */
  shownAtMs: number | null;
  decidedAtMs: number | null;
  /** True once its incident has happened, or has been armed at the service. */
  hadIncident: boolean;
  /** Null while it may still end in another way. */
  end: StepEnd | null;
  /** The reason given with Deny. */
  reason: string | null;
}

/** Seals the parts of a record, each under its own name, with a key that is not in the folder of the workspace. */
export interface RecordSeal {
  seal(part: 'plan' | 'progress', text: string): Buffer;
  /** Throws for another key, another part or changed bytes. */
  open(part: 'plan' | 'progress', sealed: Buffer): string;
}

/**
 * The workspace's own record: steps, their proposals, showings and decisions. All of it is sealed: it names every planted fault, and
 * what it says is judged.
 */
export interface MissionRecord extends AsyncDisposable {
  /** Null in a workspace that was not prepared to its end. */
  mission(): StoredMission | null;
  keepMission(mission: StoredMission): void;
  keepLeft(leftMs: number): void;
  /** A person took the agent's access away: no other agent comes in its place. */
  isRevoked(): boolean;
  keepRevoked(): void;
  steps(): StoredStep[];
  keepStep(step: StoredStep): void;
}

/**
 * Opens or makes the record of the mission in this workspace. Fails with `mission_edited` where it is not as it was sealed, and as
 * `openDatabase`. The caller disposes.
 */
export function openMissionRecord(options: {
  folder: string;
  seal: RecordSeal;
  clock: Clock;
  logger: Logger;
}): MissionRecord {
  const { folder, seal, clock, logger } = options;
  const file = join(folder, recordName);
  const { db, setAside, dispose } = openDatabase({ file, migrations, clock, logger });
  try {
    // A damaged one that was set aside is no new one.
    if (setAside !== null) throw new AppError('mission_edited');
    return { ...guardParts(recordRows(db, seal), withStorageErrors), dispose };
  } catch (failure) {
    void dispose();
    throw failure;
  }
}

type Planned = Pick<StoredMission, 'name' | 'plan' | 'madeAtMs'>;

interface Progress extends Pick<StoredMission, 'beganAtMs' | 'leftMs'> {
  isRevoked: boolean;
  steps: StoredStep[];
}

interface MissionRow {
  plan: Buffer;
  progress: Buffer;
}

function recordRows(db: Database, seal: RecordSeal): Omit<MissionRecord, 'dispose'> {
  const select = db.prepare<[], MissionRow>('SELECT plan, progress FROM mission');
  const insert = db.prepare<[MissionRow]>(
    'INSERT OR REPLACE INTO mission (place, plan, progress) VALUES (1, :plan, :progress)',
  );
  const update = db.prepare<[Buffer]>('UPDATE mission SET progress = ?');
  const sealed = (part: 'plan' | 'progress', value: Planned | Progress): Buffer =>
    seal.seal(part, JSON.stringify(value));

  const row = withStorageErrors(() => select.get());
  let planned = row === undefined ? null : (opened(seal, 'plan', row.plan) as Planned);
  let progress: Progress =
    row === undefined
      ? { beganAtMs: null, leftMs: null, isRevoked: false, steps: [] }
      : (opened(seal, 'progress', row.progress) as Progress);

  function keep(changed: Partial<Progress>): void {
    progress = { ...progress, ...changed };
    update.run(sealed('progress', progress));
  }

  return {
    mission() {
      const { beganAtMs, leftMs } = progress;
      return planned && { ...planned, beganAtMs, leftMs };
    },
    keepMission({ name, plan, madeAtMs, beganAtMs, leftMs }) {
      planned = { name, plan, madeAtMs };
      progress = { ...progress, beganAtMs, leftMs };
      insert.run({ plan: sealed('plan', planned), progress: sealed('progress', progress) });
    },
    keepLeft: (leftMs) => keep({ leftMs }),
    isRevoked: () => progress.isRevoked,
    keepRevoked: () => keep({ isRevoked: true }),
    steps: () => progress.steps,
    keepStep: (step) => keep({ steps: [...progress.steps.filter(({ id }) => id !== step.id), step] }),
  };
}

/** Written by this record alone: its seal says so. */
function opened(seal: RecordSeal, part: 'plan' | 'progress', bytes: Buffer): unknown {
  let text;
  try {
    text = seal.open(part, bytes);
  } catch (cause) {
    throw new AppError('mission_edited', { cause });
  }
  return JSON.parse(text);
}
