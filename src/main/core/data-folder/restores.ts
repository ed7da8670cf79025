import { mkdirSync, rmSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Ledger, verifyLedgerFile } from '#core/ledger/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { Ids } from '#core/platform/ids.ts';
import { silentLogger } from '#core/platform/logger.ts';
import { appDatabaseName, type AppStore, openAppStore, removeAppSecrets } from '#core/store/app/index.ts';
import { openBackendStore, removeBackendSecrets } from '#core/store/backend/index.ts';
import type { AppHandlers, RestoreView } from '#shared/app-api/index.ts';
import { AppError, diskFailure } from '#shared/errors/index.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import { type BackupHeader, readBackupHeader, unpackBackup } from './backup-file.ts';
import { removal, restorePlaces, writeMark } from './folders.ts';
import type { WantedRestore } from './settle-folder.ts';

type RestoreRequest =
  'data.restoreStart' | 'data.restorePart' | 'data.restoreCheck' | 'data.restoreDrop' | 'data.restore';

export interface RestoresOptions {
  folder: string;
  ledger: Pick<Ledger, 'report'>;
  clock: Clock;
  ids: Ids;
  /** Has the core end and begin again, once the answer is on its way. */
  beginAgain(): void;
}

/** A backup that is handed over, and what its check found. */
interface Upload {
  id: string;
  header: BackupHeader | null;
}

/**
 * Takes a backup, checks all of it beside the data, and leaves it ready with a mark: the next start puts it in its place
 * (settle-folder.ts). Until then nothing of the data is touched.
 */
export function createRestores({
  folder,
  ledger,
  clock,
  ids,
  beginAgain,
}: RestoresOptions): Pick<AppHandlers, RestoreRequest> {
  const places = restorePlaces(folder);
  let upload: Upload | null = null;

  function uploadOf(id: string): Upload {
    if (upload?.id !== id) throw new AppError('data_run_ended');
    return upload;
  }

  function drop(): void {
    upload = null;
    try {
      rmSync(places.root, removal);
    } catch (cause) {
      throw diskFailure(cause, 'storage_failed');
    }
  }

  return {
    async 'data.restoreStart'() {
      drop();
      try {
        mkdirSync(places.root, { mode: 0o700 });
      } catch (cause) {
        throw diskFailure(cause, 'storage_failed');
      }
      upload = { id: ids.id(), header: null };
      return { id: upload.id };
    },
    async 'data.restorePart'({ id, bytes }) {
      uploadOf(id);
      try {
        await appendFile(places.upload, Buffer.from(bytes, 'base64'), { mode: 0o600 });
      } catch (cause) {
        throw diskFailure(cause, 'storage_failed');
      }
      return {};
    },
    async 'data.restoreCheck'({ id }) {
      const mine = uploadOf(id);
      const { header, found } = await checkBackup(folder, clock);
      uploadOf(id);
      mine.header = header;
      const { rows, head } = ledger.report();
      return { ...found, current: { rows, head } };
    },
    async 'data.restoreDrop'() {
      drop();
      return {};
    },
    async 'data.restore'({ id }) {
      const { header } = uploadOf(id);
      if (header === null) throw new AppError('data_run_ended');
      const { madeAtMs, appVersion: version, ledger: end } = header;
      const wanted: WantedRestore = {
        atMs: clock.nowMs(),
        backup: { madeAtMs, version, count: end.rows, head: end.head },
      };
      writeMark(places.wanted, wanted);
      upload = null;
      beginAgain();
      return {};
    },
  };
}

/** Unpacks, opens and verifies everything, in a folder beside the data, and leaves it there without any secret. */
async function checkBackup(
  folder: string,
  clock: Clock,
): Promise<{ header: BackupHeader; found: Omit<RestoreView, 'current'> }> {
  const { upload, fresh } = restorePlaces(folder);
  const header = readBackupHeader(upload);
  try {
    rmSync(fresh, removal);
    mkdirSync(fresh, { mode: 0o700 });
  } catch (cause) {
    throw diskFailure(cause, 'storage_failed');
  }
  await unpackBackup(upload, header, fresh);
  rmSync(upload, removal);
  const { madeAtMs, appVersion: version, ledger } = header;
  const counts = await openOnce(fresh, clock);
  const app = join(fresh, appDatabaseName);
  // A file that somebody edited could bring what no backup of ours contains.
  removeAppSecrets(app);
  removeBackendSecrets(join(fresh, 'backend.sqlite'));
  const { state, rows, head } = await verifyLedgerFile(app);
  if (state !== 'verified' || rows !== ledger.rows || head !== ledger.head)
    throw new AppError('backup_damaged');
  return { header, found: { madeAtMs, version, ledger, ...counts } };
}

/** Opens both databases as a start does, so that what no start could open is refused here, and migrates an older one. */
async function openOnce(
  fresh: string,
  clock: Clock,
): Promise<Pick<RestoreView, 'profiles' | 'open' | 'agents'>> {
  const options = { clock, logger: silentLogger };
  const service = openBackendStore({ file: join(fresh, 'backend.sqlite'), ...options });
  const isServiceSound = service.setAside === null && !service.read.isEmpty();
  await service.dispose();
  const store: AppStore = openAppStore({ folder: fresh, ...options });
  try {
    if (store.setAside !== null || !isServiceSound) throw new AppError('backup_damaged');
    return {
      profiles: store.profiles.all().length,
      open: store.proposals.open().filter(({ state }) => isUndecided(state) || state === 'approved').length,
      agents: store.agents.living().length,
    };
  } finally {
    await store.dispose();
  }
}
