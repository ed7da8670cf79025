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
import { makeFolder, replaceFileSync } from '#system/replace-file.ts';
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

/** Set in a restored database until its first start has recorded the restore in the ledger, so that a crash loses no record. */
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
  /** Resets data that the host keeps outside the folder. Returns a new data key or null; never fails. */
  resetHost: (() => Promise<Buffer | null>) | undefined;
  clock: Clock;
  logger: Logger;
}

interface SettledFolder {
  failure: AppError | null;
  newKey: Buffer | null;
}

/**
 * Completes a deletion or restore before any store is opened. The data is unchanged until the swap mark exists; from then on,
 * every start completes the restore.
 */
export async function completeDeletionOrRestore({
  folder,
  resetHost,
  clock,
  logger,
}: FolderOptions): Promise<SettledFolder> {
  let newKey: Buffer | null = null;
  if (existsSync(deletionMark(folder))) {
    // Resets the host first: the mark is deleted last, so a start after an interruption repeats both steps.
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
  removeRestoreFiles(places);
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
 * Every step can be repeated after an interruption. The app's database is moved out first and back in last, so that the folder
 * never contains a ledger with the anchor of another ledger.
 */
function swapFiles(folder: string, { fresh }: RestorePlaces, replaced: string): void {
  const aside = join(folder, replaced);
  onDisk(() => {
    makeFolder(aside, 0o700);
    const remaining = backupNames.filter((name) => existsSync(join(fresh, name)));
    for (const old of remaining.flatMap((name) => ['', ...companions].map((companion) => name + companion))) {
      if (existsSync(join(folder, old))) replaceFileSync(join(folder, old), join(aside, old));
    }
    for (const name of remaining.toReversed()) replaceFileSync(join(fresh, name), join(folder, name));
  });
}

function removeRestoreFiles({ root, wanted, swap }: RestorePlaces): void {
  onDisk(() => {
    rmSync(wanted, { force: true });
    rmSync(swap, { force: true });
    rmSync(root, removal);
  });
}

/** Set until the open proposals and admitted agents of a restored backup are ended, so that a crash does not skip this. */
const cleanupSetting = 'restore.ending';

const endSchema = z.object({ count: z.int(), head: z.string() });
const fromSchema: z.ZodType<RestoredFrom> = z.object({
  previous: endSchema.nullable(),
  backup: endSchema.extend({ madeAtMs: z.number(), version: z.string() }),
  replaced: z.string(),
});

/** Records the restore as the first new row of the ledger. Fails as the ledger does. */
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
    store.settings.set(cleanupSetting, 'yes');
    store.settings.set(lastRestoreSetting, JSON.stringify({ atMs, failure: null }));
    // The copied setting contains the time of an older backup, because it was copied before this backup was recorded.
    store.settings.set(lastBackupSetting, String(from.backup.madeAtMs));
    store.settings.remove(restoredSetting);
  });
}

interface EndingParts {
  store: AppStore;
  withdraw(id: string): void;
  freezeAgents(): void;
  endAgents(): void;
  logger: Logger;
}

/**
 * Ends what a restore brought back: freezes agents, ends their access and withdraws open proposals, each with a row in the
 * ledger. Recovery has already withdrawn approved proposals.
 */
export function endRestored({ store, withdraw, freezeAgents, endAgents, logger }: EndingParts): void {
  if (store.settings.get(cleanupSetting) === null) return;
  try {
    freezeAgents();
    endAgents();
    for (const { id } of store.proposals.open().filter(isWaiting)) {
      if (store.proposals.open().some((one) => one.id === id && isWaiting(one))) withdraw(id);
    }
    store.settings.remove(cleanupSetting);
  } catch (failure) {
    if (!(failure instanceof AppError)) throw failure;
    logger.error({ failure }, 'What was open in the backup could not be ended');
  }
}

const isWaiting = ({ state }: ListedProposal): boolean => isUndecided(state);
