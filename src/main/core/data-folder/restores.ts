import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import type { Ledger } from '#core/ledger/index.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { AppHandlers } from '#shared/app-api/index.ts';
import { AppError, diskFailure } from '#shared/errors/index.ts';
import { type BackupHeader, backupSize, headerLength, parseBackupHeader } from './backup-file.ts';
import { assertRoom, checkBackup, type CheckBackupOptions } from './check-backup.ts';
import { removal, restorePlaces, writeMark } from './folders.ts';
import type { WantedRestore } from './settle-folder.ts';

type RestoreRequest =
  'data.restoreStart' | 'data.restorePart' | 'data.restoreCheck' | 'data.restoreDrop' | 'data.restore';

export interface RestoresOptions extends CheckBackupOptions {
  ledger: Pick<Ledger, 'report'>;
  ids: Ids;
  /** Has the core end and begin again, once the answer is on its way. */
  beginAgain(): void;
}

/** A backup that is handed over. */
interface Upload {
  id: string;
  bytes: number;
  /** The first bytes, until they are a header. */
  begin: Buffer;
  header: BackupHeader | null;
  isChecked: boolean;
}

/**
 * Takes a backup, checks all of it beside the data, and leaves it ready with a mark: the next start puts it in its place
 * (settle-folder.ts). Until then nothing of the data is touched.
 */
export function createRestores(options: RestoresOptions): Pick<AppHandlers, RestoreRequest> {
  const { folder, ledger, clock, ids, beginAgain } = options;
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

  /** A backup that is refused leaves nothing of it behind. */
  async function orDrop<T>(mine: Upload, work: () => Promise<T>): Promise<T> {
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
      try {
        mkdirSync(places.root, { mode: 0o700 });
        writeFileSync(places.upload, '', { flag: 'wx', mode: 0o600 });
      } catch (cause) {
        throw diskFailure(cause, 'storage_failed');
      }
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
      writeMark(places.wanted, wanted);
      upload = null;
      beginAgain();
      return {};
    },
  };
}

/** Adds a part. Looks at the header as soon as it is there, so that what is no backup, or too large, is not copied first. */
async function take(upload: Upload, part: Buffer, folder: string): Promise<void> {
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
