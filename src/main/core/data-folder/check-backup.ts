import { mkdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { verifyLedgerFile } from '#core/ledger/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import { silentLogger } from '#core/platform/logger.ts';
import {
  appDatabaseName,
  hasOwnAppSchema,
  openAppStore,
  refuseForeignAppSchema,
  removeAppSecrets,
} from '#core/store/app/index.ts';
import {
  hasOwnBackendSchema,
  openBackendStore,
  refuseForeignBackendSchema,
  removeBackendSecrets,
} from '#core/store/backend/index.ts';
import type { RestoreView } from '#shared/app-api/index.ts';
import { AppError, diskFailure, type ErrorCode } from '#shared/errors/index.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import { type BackupHeader, backupSize, unpackBackup } from './backup-file.ts';
import { removal, restorePlaces } from './folders.ts';
import { joinSentences, sentence } from '#shared/lib/sentence.ts';

/** Refuses a backup for which the disk has no room, packed and unpacked: `disk_full`. */
export function assertRoom(folder: string, header: BackupHeader): void {
  const { packedBytes, bytes } = backupSize(header);
  let free: number;
  try {
    const { bavail, bsize } = statfsSync(folder);
    free = bavail * bsize;
  } catch (cause) {
    throw diskFailure(cause, 'storage_failed');
  }
  if (packedBytes + bytes <= free) return;
  throw new AppError('disk_full', { message: 'The disk has no room for what this backup contains.' });
}

export interface CheckBackupOptions {
  folder: string;
  clock: Clock;
  /** Opens the embedded service on a database and closes it, as a start does; rejects where it cannot. */
  tryService(file: string): Promise<void>;
}

/**
 * Unpacks, opens and verifies everything, in a folder beside the data, and leaves it there without any secret. Fails with
 * `backup_damaged`, `backup_newer`, or as the disk does.
 */
export async function checkBackup(
  header: BackupHeader,
  { folder, clock, tryService }: CheckBackupOptions,
): Promise<Omit<RestoreView, 'current'>> {
  const { upload, fresh } = restorePlaces(folder);
  try {
    rmSync(fresh, removal);
    mkdirSync(fresh, { mode: 0o700 });
  } catch (cause) {
    throw diskFailure(cause, 'storage_failed');
  }
  await unpackBackup(upload, header, fresh);
  rmSync(upload, removal);
  const counts = await asBackup(() => examine(fresh, header, { clock, tryService }));
  const { madeAtMs, appVersion: version, ledger } = header;
  return { madeAtMs, version, ledger, ...counts };
}

type Counts = Pick<RestoreView, 'profiles' | 'open' | 'agents'>;

async function examine(
  fresh: string,
  { ledger }: BackupHeader,
  { clock, tryService }: Pick<CheckBackupOptions, 'clock' | 'tryService'>,
): Promise<Counts> {
  const app = join(fresh, appDatabaseName);
  const service = join(fresh, 'backend.sqlite');
  refuseForeignAppSchema(fresh);
  refuseForeignBackendSchema(service);
  // A trigger of somebody else would run with what a start writes: it could take back a withdrawal.
  assertSound(hasOwnAppSchema(app) && hasOwnBackendSchema(service));
  await openServiceOnce(service, clock);
  await tryService(service);
  const counts = await openAppOnce(fresh, clock);
  // A file that somebody edited could bring what no backup of ours contains.
  removeAppSecrets(app);
  removeBackendSecrets(service);
  const { state, rows, head } = await verifyLedgerFile(app);
  assertSound(state === 'verified' && rows === ledger.rows && head === ledger.head);
  return counts;
}

function assertSound(isSound: boolean): void {
  if (!isSound) throw new AppError('backup_damaged');
}

async function openServiceOnce(file: string, clock: Clock): Promise<void> {
  const store = openBackendStore({ file, clock, logger: silentLogger });
  try {
    assertSound(store.setAside === null && !store.read.isEmpty());
  } finally {
    await store.dispose();
  }
}

/** Opens it as a start does, so that what no start could open is refused here, and migrates an older one. */
async function openAppOnce(fresh: string, clock: Clock): Promise<Counts> {
  const store = openAppStore({ folder: fresh, clock, logger: silentLogger });
  try {
    assertSound(store.setAside === null);
    const open = store.proposals.open();
    // As the start does that ends them: one that cannot be read is refused here.
    for (const { id } of open) store.proposals.find(id);
    return {
      profiles: store.profiles.all().length,
      // Changes that are decided together count as one, as in the list of proposals.
      open: open.filter(
        ({ id, state }) =>
          (isUndecided(state) || state === 'approved') && store.proposals.openBatchOf(id) === null,
      ).length,
      agents: store.agents.living().length,
    };
  } finally {
    await store.dispose();
  }
}

/** Failures that say nothing about the backup. */
const failuresOfDisk: ReadonlySet<ErrorCode> = new Set([
  'disk_full',
  'disk_read_only',
  'storage_failed',
  'data_folder_unusable',
]);

/** Blames the backup for all failures but the disk's: rows that cannot be read are no bug of this program. */
async function asBackup<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const code = cause instanceof AppError ? cause.code : null;
    if (code === 'schema_newer') throw new AppError('backup_newer', { cause });
    if (code !== null && failuresOfDisk.has(code)) throw cause;
    // Says which rows: the backup cannot be put right without.
    const message =
      code === 'rows_contradict'
        ? { message: joinSentences([(cause as AppError).message, nothingReplaced]) }
        : {};
    throw new AppError('backup_damaged', { ...message, cause });
  }
}

const nothingReplaced = sentence`This backup was not restored.`;
