import { mkdirSync, rmSync, writeFileSync, statfsSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { type Ledger, verifyLedgerFile } from '#core/ledger/index.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { AppHandlers, RestoreView } from '#shared/app-api/index.ts';
import { AppError, diskFailure, type ErrorCode } from '#shared/errors/index.ts';
import {
  type BackupHeader,
  backupSize,
  headerLength,
  parseBackupHeader,
  unpackBackup,
} from './backup-file.ts';
import { restorePlaces, writeMark, onDisk } from './folders.ts';
import { removal } from '#core/platform/disk-places.ts';
import type { WantedRestore } from './complete-deletion-or-restore.ts';
import { join } from 'node:path';
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
import { isUndecided } from '#shared/proposals/states.ts';
import { joinSentences, sentence } from '#shared/lib/sentence.ts';

type RestoreRequest =
  'data.restoreStart' | 'data.restorePart' | 'data.restoreCheck' | 'data.restoreDrop' | 'data.restore';

export interface RestoresOptions extends CheckBackupOptions {
  ledger: Pick<Ledger, 'report'>;
  ids: Ids;
  beginAgain(): void;
  endFirstScreen(): void;
}

interface BackupUpload {
  id: string;
  bytes: number;
  begin: Buffer;
  header: BackupHeader | null;
  isChecked: boolean;
}

/** Uploads and checks a backup. The next start completes a checked restore (complete-deletion-or-restore.ts). */
export function createRestores(options: RestoresOptions): Pick<AppHandlers, RestoreRequest> {
  const { folder, ledger, clock, ids, beginAgain, endFirstScreen } = options;
  const places = restorePlaces(folder);
  let upload: BackupUpload | null = null;

  function uploadOf(id: string): BackupUpload {
    if (upload?.id !== id) throw new AppError('data_run_ended');
    return upload;
  }

  function drop(): void {
    upload = null;
    onDisk(() => rmSync(places.root, removal));
  }

  async function orDrop<T>(mine: BackupUpload, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (failure) {
      if (upload === mine) drop();
      throw failure;
    }
  }

  return {
    async 'data.restoreStart'() {
      drop();
      onDisk(() => {
        mkdirSync(places.root, { mode: 0o700 });
        writeFileSync(places.upload, '', { flag: 'wx', mode: 0o600 });
      });
      upload = { id: ids.id(), bytes: 0, begin: Buffer.alloc(0), header: null, isChecked: false };
      return { id: upload.id };
    },
    async 'data.restorePart'({ id, bytes }) {
      const mine = uploadOf(id);
      await orDrop(mine, () => take(mine, Buffer.from(bytes, 'base64'), folder));
      return {};
    },
    async 'data.restoreCheck'({ id }) {
      const mine = uploadOf(id);
      return orDrop(mine, async () => {
        const { header } = mine;
        if (header === null || mine.bytes !== backupSize(header).packedBytes)
          throw new AppError('backup_unreadable');
        const found = await checkBackup(header, options);
        uploadOf(id).isChecked = true;
        const { rows, head } = ledger.report();
        return { ...found, current: { rows, head } };
      });
    },
    async 'data.restoreDrop'() {
      drop();
      return {};
    },
    async 'data.restore'({ id }) {
      const { header, isChecked } = uploadOf(id);
      if (header === null || !isChecked) throw new AppError('data_run_ended');
      const { madeAtMs, appVersion: version, ledger: end } = header;
      const wanted: WantedRestore = {
        atMs: clock.nowMs(),
        backup: { madeAtMs, version, count: end.rows, head: end.head },
      };
      endFirstScreen();
      writeMark(places.wanted, wanted);
      upload = null;
      beginAgain();
      return {};
    },
  };
}

/** Checks the header first, so that a wrong or too large file is not copied. */
async function take(upload: BackupUpload, part: Buffer, folder: string): Promise<void> {
  upload.bytes += part.length;
  if (upload.header === null) {
    upload.begin = Buffer.concat([upload.begin, part]).subarray(0, headerLength);
    if (upload.begin.length === headerLength) {
      upload.header = parseBackupHeader(upload.begin);
      assertRoom(folder, upload.header);
    }
  }
  if (upload.header !== null && upload.bytes > backupSize(upload.header).packedBytes)
    throw new AppError('backup_unreadable');
  try {
    await appendFile(restorePlaces(folder).upload, part);
  } catch (cause) {
    throw diskFailure(cause, 'storage_failed');
  }
}

function assertRoom(folder: string, header: BackupHeader): void {
  const { packedBytes, bytes } = backupSize(header);
  const { bavail, bsize } = onDisk(() => statfsSync(folder));
  if (packedBytes + bytes <= bavail * bsize) return;
  throw new AppError('disk_full', { message: 'The disk has no room for what this backup contains.' });
}

interface CheckBackupOptions {
  folder: string;
  clock: Clock;
  /** Rejects if the embedded service cannot start with this database. */
  tryService(file: string): Promise<void>;
}

async function checkBackup(
  header: BackupHeader,
  { folder, clock, tryService }: CheckBackupOptions,
): Promise<Omit<RestoreView, 'current'>> {
  const { upload, fresh } = restorePlaces(folder);
  onDisk(() => {
    rmSync(fresh, removal);
    mkdirSync(fresh, { mode: 0o700 });
  });
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
  // A foreign trigger could undo the withdrawal of proposals.
  assertSound(hasOwnAppSchema(app) && hasOwnBackendSchema(service));
  await openServiceOnce(service, clock);
  await tryService(service);
  const counts = await openAppOnce(fresh, clock);
  // An edited file could contain secrets, which a backup of Countersign never does.
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

/** Opens the database once, because opening also migrates an older one. */
async function openAppOnce(fresh: string, clock: Clock): Promise<Counts> {
  const store = openAppStore({ folder: fresh, clock, logger: silentLogger });
  try {
    assertSound(store.setAside === null);
    const open = store.proposals.open();
    // Refuses a backup with a proposal that the next start could not read.
    for (const { id } of open) store.proposals.find(id);
    return {
      profiles: store.profiles.all().length,
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

const failuresOfDisk: ReadonlySet<ErrorCode> = new Set([
  'disk_full',
  'disk_read_only',
  'storage_failed',
  'data_folder_unusable',
]);

/** Reports every failure except the disk's as a damaged backup, because unreadable rows of a backup are not a bug of this program. */
async function asBackup<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const code = cause instanceof AppError ? cause.code : null;
    if (code === 'schema_newer') throw new AppError('backup_newer', { cause });
    if (code !== null && failuresOfDisk.has(code)) throw cause;
    const message =
      code === 'rows_contradict'
        ? { message: joinSentences([(cause as AppError).message, nothingReplaced]) }
        : {};
    throw new AppError('backup_damaged', { ...message, cause });
  }
}

const nothingReplaced = sentence`This backup was not restored.`;
