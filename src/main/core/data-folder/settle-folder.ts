import { existsSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { type RestoredFrom, type Ledger, restoredEntry } from '#core/ledger/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import {
  appDatabaseName,
  openLedgerFile,
  writeCopiedSetting,
  type AppStore,
  type ListedProposal,
} from '#core/store/app/index.ts';
import { companions, freeName, timeInName } from '#core/store/sqlite/files.ts';
import { AppError, diskFailure, encodeError } from '#shared/errors/index.ts';
import { makeFolder } from '#system/make-folder.ts';
import { replaceFileSync } from '#system/replace-file.ts';
import { backupNames } from './backup-file.ts';
import {
  deleteContents,
  deletionMark,
  readMark,
  replacedPrefix,
  type RestorePlaces,
  restorePlaces,
  writeMark,
  onDisk,
} from './folders.ts';
import { removal } from '#core/platform/disk-places.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import { lastBackupSetting } from './backups.ts';

/** Record of a restore in the restored database, until the first start on it puts it into the ledger. */
const restoredSetting = 'restore.from';

export const lastRestoreSetting = 'restore.last';

export interface WantedRestore {
  atMs: number;
  backup: RestoredFrom['backup'];
}

const wantedSchema: z.ZodType<WantedRestore> = z.object({
  atMs: z.number(),
  backup: z.object({ madeAtMs: z.number(), version: z.string(), count: z.int(), head: z.string() }),
});

const swapSchema = z.object({ replaced: z.string().startsWith(replacedPrefix) });

interface FolderOptions {
  folder: string;
  /** Has the host reset what it keeps outside the folder; the data key from then on, or null for the one of before. Never fails. */
  resetHost: (() => Promise<Buffer | null>) | undefined;
  clock: Clock;
  logger: Logger;
}

interface SettledFolder {
  /** Why a restore could not begin; then nothing was replaced. */
  failure: AppError | null;
  /** The data key that a deletion brought. */
  newKey: Buffer | null;
}

/**
 * Completes the deletion or restore that a person asked for, with the lock held and before anything is opened. Until the
 * mark of the swap is there everything is as it was; from then on each start goes on with the backup.
 */
export async function settleFolder({
  folder,
  resetHost,
  clock,
  logger,
}: FolderOptions): Promise<SettledFolder> {
  let newKey: Buffer | null = null;
  if (existsSync(deletionMark(folder))) {
    // The host first: the mark, which is the last to go, brings back here whatever was killed before.
    newKey = (await resetHost?.()) ?? null;
    deleteContents(folder);
    logger.info({}, 'The data was deleted, as a person asked');
  }
  rmSync(join(folder, 'backup'), removal);
  const places = restorePlaces(folder);
  const wanted = wantedSchema.safeParse(readMark(places.wanted)).data;
  let failure: AppError | null = null;
  if (wanted !== undefined && readMark(places.swap) === undefined) {
    try {
      await prepareSwap(folder, places, wanted, clock);
    } catch (cause) {
      failure = cause instanceof AppError ? cause : diskFailure(cause, 'storage_failed');
      logger.error({ failure: cause }, 'The backup could not be restored');
    }
  }
  const swap = swapSchema.safeParse(readMark(places.swap)).data;
  if (swap !== undefined) {
    swapFiles(folder, places, swap.replaced);
    logger.info({ replaced: swap.replaced }, 'A backup was restored');
  }
  forget(places);
  return { failure, newKey };
}

async function prepareSwap(
  folder: string,
  places: RestorePlaces,
  { backup }: WantedRestore,
  clock: Clock,
): Promise<void> {
  const replaced = basename(freeName(join(folder, `${replacedPrefix}${timeInName(clock.nowMs())}`)));
  const from: RestoredFrom = { previous: await ledgerEnd(join(folder, appDatabaseName)), backup, replaced };
  writeCopiedSetting(join(places.fresh, appDatabaseName), restoredSetting, JSON.stringify(from));
  writeMark(places.swap, { replaced });
}

/** Null where the ledger of now cannot be read: a damaged database is a reason to restore. */
async function ledgerEnd(file: string): Promise<RestoredFrom['previous']> {
  try {
    const { reader, dispose } = openLedgerFile(file);
    try {
      const last = reader.isOwn() ? reader.last() : null;
      return last && { count: last.seq, head: last.hash };
    } finally {
      await dispose();
    }
  } catch (failure) {
    if (failure instanceof AppError) return null;
    throw failure;
  }
}

/**
 * Moves what is there aside, and the fresh files into its place; every step can be repeated. The app's database leaves
 * first and comes last: the folder never has a ledger with the anchor of another one.
 */
function swapFiles(folder: string, { fresh }: RestorePlaces, replaced: string): void {
  const aside = join(folder, replaced);
  onDisk(() => {
    makeFolder(aside, 0o700);
    const left = backupNames.filter((name) => existsSync(join(fresh, name)));
    for (const old of left.flatMap((name) => ['', ...companions].map((companion) => name + companion))) {
      if (existsSync(join(folder, old))) replaceFileSync(join(folder, old), join(aside, old));
    }
    for (const name of left.toReversed()) replaceFileSync(join(fresh, name), join(folder, name));
  });
}

/** Removes what a restore needed, the marks first: without them the rest means nothing. */
function forget({ root, wanted, swap }: RestorePlaces): void {
  onDisk(() => {
    rmSync(wanted, { force: true });
    rmSync(swap, { force: true });
    rmSync(root, removal);
  });
}

/** There while a restored database still has open proposals and admitted agents of its backup. */
const endingSetting = 'restore.ending';

const endSchema = z.object({ count: z.int(), head: z.string() });
const fromSchema: z.ZodType<RestoredFrom> = z.object({
  previous: endSchema.nullable(),
  backup: endSchema.extend({ madeAtMs: z.number(), version: z.string() }),
  replaced: z.string(),
});

/** Puts a restore on record, before anything else of this start is; nothing happens without one. Fails as the ledger does. */
export function recordRestore(
  store: AppStore,
  { ledger, clock, failure }: { ledger: Ledger; clock: Clock; failure: AppError | null },
): void {
  const atMs = clock.nowMs();
  if (failure !== null) {
    const { message, next } = encodeError(failure);
    store.settings.set(lastRestoreSetting, JSON.stringify({ atMs, failure: { message, next } }));
  }
  const stored = store.settings.get(restoredSetting);
  if (stored === null) return;
  const from = fromSchema.parse(JSON.parse(stored));
  store.transaction(() => {
    ledger.append(restoredEntry(from));
    store.settings.set(endingSetting, 'yes');
    store.settings.set(lastRestoreSetting, JSON.stringify({ atMs, failure: null }));
    // It was saved after it had been made, which its own copy of the settings cannot say.
    store.settings.set(lastBackupSetting, String(from.backup.madeAtMs));
    store.settings.remove(restoredSetting);
  });
}

interface EndingParts {
  store: AppStore;
  withdraw(id: string): void;
  /** Nothing of any agent passes, and none is admitted, until a person lets agents work again. */
  freezeAgents(): void;
  endAgents(): void;
  logger: Logger;
}

/**
 * After a restore: freezes agents, and ends their access and what waited in the backup, each with its row of the ledger.
 * The gate's recovery has withdrawn approved proposals.
 */
export function endRestored({ store, withdraw, freezeAgents, endAgents, logger }: EndingParts): void {
  if (store.settings.get(endingSetting) === null) return;
  try {
    freezeAgents();
    endAgents();
    for (const { id } of store.proposals.open().filter(isWaiting)) {
      // A batch ends with the last of its members.
      if (store.proposals.open().some((one) => one.id === id && isWaiting(one))) withdraw(id);
    }
    store.settings.remove(endingSetting);
  } catch (failure) {
    if (!(failure instanceof AppError)) throw failure;
    // A ledger that takes no rows: nothing can be decided either, and the next start tries again.
    logger.error({ failure }, 'What was open in the backup could not be ended');
  }
}

const isWaiting = ({ state }: ListedProposal): boolean => isUndecided(state);
