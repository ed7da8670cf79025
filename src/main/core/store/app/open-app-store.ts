import { join } from 'node:path';
import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import { createSqlRows } from '../oauth-rows.ts';
import { copyOnline } from '../sqlite/files.ts';
import { createWriteGuard, guardParts } from '../sqlite/store-guard.ts';
import { type FolderLock } from '../sqlite/folder-lock.ts';
import { hasOwnSchema, refuseForeignSchema } from '../sqlite/stored-schema.ts';
import { openDatabase } from '../sqlite/open-database.ts';
import { returnPages, withStorageErrors, type Database, runTransaction } from '../sqlite/database.ts';
import { createAgentCallRows } from './agents/agent-call-rows.ts';
import { createAgentRows, createRefusedAttemptRows } from './agents/agent-rows.ts';
import { createToolPinRows } from './agents/tool-pin-rows.ts';
import { createDecisionReader } from './decision-rows.ts';
import { createLedgerReader, createLedgerWriter } from './ledger-rows.ts';
import {
  createCampaignCopyRows,
  createCachedRows,
  createStatusChangeRows,
} from './campaigns/campaign-cache-rows.ts';
import { createCampaignNoteRows, createCampaignViewRows } from './campaigns/campaign-note-rows.ts';
import { createDraftTables } from './draft-rows.ts';
import { appMigrations } from './migrations/app-migrations.ts';
import { createProfileRows, createSecretRows, createSettingRows } from './settings-and-profiles.ts';
import { createPauseReturnRows } from './pause-return-rows.ts';
import { createProposalRows } from './proposals/proposal-rows.ts';
import { createAlertRows, createMarkRows, createViewRows } from './report-note-rows.ts';
import { createUploadRows } from './upload-rows.ts';
import { AppError } from '#shared/errors/index.ts';
import { defaultFormats } from '#shared/lib/formats.ts';
import { quotedStart } from '#shared/lib/inert-text.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

export const appDatabaseName = 'countersign.sqlite';

/** Uses one file, so that a state and its ledger row share a transaction. */
export interface AppStore extends AsyncDisposable, Transactions, AppRows {
  folder: string;
  setAside: string | null;
  /** Returns unused pages to the file system, and true while unused pages remain. Call it outside transactions. */
  returnPages(): boolean;
  /** The copy includes secrets. Fails as the disk does. */
  copyTo(file: string): Promise<void>;
}

type AppRows = ReturnType<typeof rowsOf>;

function rowsOf(db: Database) {
  return {
    settings: createSettingRows(db),
    secrets: createSecretRows(db),
    ledger: { ...createLedgerReader(db), ...createLedgerWriter(db) },
    decisions: createDecisionReader(db),
    proposals: createProposalRows(db),
    profiles: createProfileRows(db),
    campaignCache: createCachedRows(db),
    statusChanges: createStatusChangeRows(db),
    pauseReturns: createPauseReturnRows(db),
    drafts: createDraftTables(db),
    campaignCopies: createCampaignCopyRows(db),
    uploads: createUploadRows(db),
    agents: createAgentRows(db),
    agentCalls: createAgentCallRows(db),
    toolPins: createToolPinRows(db),
    refusedAttempts: createRefusedAttemptRows(db),
    campaignNotes: createCampaignNoteRows(db),
    campaignViews: createCampaignViewRows(db),
    reportMarks: createMarkRows(db),
    reportViews: createViewRows(db),
    reportAlerts: createAlertRows(db),
    oauth: createSqlRows(db),
  };
}

export function refuseForeignAppSchema(folder: string): void {
  refuseForeignSchema(join(folder, appDatabaseName), appMigrations);
}

export function hasOwnAppSchema(file: string): boolean {
  return hasOwnSchema(file, appMigrations);
}

/**
 * Fails as {@link openDatabase}, and with `rows_contradict`. Writes fail with `lock_lost` or `storage_failed` once lock or file
 * is lost.
 */
export function openAppStore(options: {
  folder: string;
  clock: Clock;
  logger: Logger;
  lock?: FolderLock;
}): AppStore {
  const { folder, clock, logger, lock } = options;
  const file = join(folder, appDatabaseName);
  const { db, setAside, dispose } = openDatabase({ file, migrations: appMigrations, clock, logger, lock });
  try {
    withStorageErrors(() => refuseContradictions(db));
  } catch (failure) {
    db.close();
    throw failure;
  }
  const guard = createWriteGuard(db, { file, clock, lock });
  return {
    ...createTransactions(db, logger, guard.check),
    // Statements outside transactions need the guard too.
    ...guardParts(rowsOf(db), guard.call),
    returnPages: () => withStorageErrors(() => returnPages(db)),
    copyTo: (copy) => copyOnline(db, copy),
    folder,
    setAside,
    dispose,
  };
}

interface RowLink {
  from: string;
  to: string;
}

function refuseContradictions(db: Database): void {
  const links = (sql: string): RowLink[] => db.prepare<[], RowLink>(sql).all();
  const found = [
    ...inCircle(links(successors)).map(
      ({ from, to }) => `the proposals ${id(from)} and ${id(to)} replace each other`,
    ),
    ...inCircle(links(undos)).map(
      ({ from, to }) => `the proposals ${id(from)} and ${id(to)} undo each other`,
    ),
    ...links(openAndReplaced).map(
      ({ from, to }) => `the proposal ${id(from)} is open, and ${id(to)} replaces it`,
    ),
    ...links(nestedBatches).map(({ from, to }) => `the batch ${id(from)} lists the batch ${id(to)}`),
    ...links(sharedMembers).map(
      ({ from, to }) => `the proposal ${id(from)} is in the open batch ${id(to)} and in another one`,
    ),
    ...orphans(db),
  ];
  const [first] = found;
  if (first === undefined) return;
  const message = sentence`Stored rows contradict each other, ${ownWords(defaultFormats.counted(found.length, 'time'))}: ${ownWords(found.slice(0, maxNamed).join('; '))}.`;
  throw new AppError('rows_contradict', { message, data: { file: db.name, count: found.length } });
}

const maxNamed = 3;

const id = (text: string): string => quotedStart(text, 40);

// Must be spelled as in the index of migration 13; otherwise SQLite does not use the index.
const replacedBy = `json_extract(iif(json_valid(progress), progress, '{}'), '$.replacedBy')`;

const successors = `SELECT id AS "from", ${replacedBy} AS "to" FROM proposal WHERE ${replacedBy} IS NOT NULL`;

const undos = `SELECT id AS "from", json_extract(origin, '$.undoes.id') AS "to" FROM proposal
  WHERE json_extract(origin, '$.undoes.id') IS NOT NULL`;

const openAndReplaced = `${successors} AND state IN ('proposed', 'shown', 'approved', 'intent', 'sent')`;

const members = `proposal AS batch,
  json_each(iif(json_valid(batch.payload), batch.payload, '{}'), '$.members') AS member
  WHERE batch.operation = 'batch'`;

const nestedBatches = `SELECT batch.id AS "from", other.id AS "to"
  FROM proposal AS other, ${members} AND other.id = member.value ->> 'id' AND other.operation = 'batch'`;

const sharedMembers = `SELECT member.value ->> 'id' AS "from", min(batch.id) AS "to" FROM ${members}
  AND batch.state IN ('proposed', 'shown') GROUP BY 1 HAVING count(*) > 1`;

function inCircle(links: readonly RowLink[]): RowLink[] {
  const next = new Map(links.map(({ from, to }) => [from, to]));
  const ending = new Set<string>();
  const found: RowLink[] = [];
  for (const start of [...next.keys()].toSorted()) {
    const way = new Set<string>();
    let at: string | undefined = start;
    while (at !== undefined && !way.has(at) && !ending.has(at)) {
      way.add(at);
      at = next.get(at);
    }
    if (at !== undefined && way.has(at)) found.push({ from: at, to: next.get(at) ?? at });
    for (const one of way) ending.add(one);
  }
  return found;
}

function orphans(db: Database): string[] {
  const rows = db.pragma('foreign_key_check') as { table: string; parent: string }[];
  return rows.map(({ table, parent }) => `a row of ${table} names a row of ${parent} that is absent`);
}

interface Transactions {
  /** Joins an outer transaction. The outermost is on the disk when it returns. Fails with `storage_failed`. */
  transaction<T>(work: () => T): T;
  /** Calls the function after the outermost commit, never after a rollback. Logs failures. */
  afterCommit(call: () => void): void;
  /** Calls the function before any function of `afterCommit`. */
  rightAfterCommit(call: () => void): void;
  inTransaction(): boolean;
}

function createTransactions(db: Database, logger: Logger, check: () => void): Transactions {
  let first: (() => void)[] = [];
  let waiting: (() => void)[] = [];

  function runWaiting(): void {
    const calls = [...first, ...waiting];
    first = [];
    waiting = [];
    for (const call of calls) {
      try {
        call();
      } catch (failure) {
        logger.error({ failure }, 'Something that follows a commit failed');
      }
    }
  }

  function assertInTransaction(): void {
    if (!db.inTransaction) throw new Error('afterCommit outside a transaction');
  }

  return {
    transaction(work) {
      const outermost = !db.inTransaction;
      if (outermost) check();
      const before = { first: first.length, waiting: waiting.length };
      let result;
      try {
        result = runTransaction(db, work);
      } catch (failure) {
        first.length = before.first;
        waiting.length = before.waiting;
        throw failure;
      }
      if (outermost) runWaiting();
      return result;
    },
    afterCommit(call) {
      assertInTransaction();
      waiting.push(call);
    },
    rightAfterCommit(call) {
      assertInTransaction();
      first.push(call);
    },
    inTransaction: () => db.inTransaction,
  };
}
