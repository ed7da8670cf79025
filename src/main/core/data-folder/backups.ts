import { mkdirSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type Ledger, writeAnchor } from '#core/ledger/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { Ids } from '#core/platform/ids.ts';
import { type AppStore, removeAppSecrets } from '#core/store/app/index.ts';
import { removeBackendSecrets } from '#core/store/backend/index.ts';
import type { AppHandlers } from '#shared/app-api/index.ts';
import { AppError, diskFailure } from '#shared/errors/index.ts';
import { backupNames, packBackup } from './backup-file.ts';
import { onDisk } from './folders.ts';
import { removal } from '#core/platform/disk-places.ts';

type BackupRequest = 'data.backupStart' | 'data.backupPart' | 'data.backupEnd';

export interface BackupsOptions {
  store: Pick<AppStore, 'folder' | 'copyTo' | 'settings'>;
  copyService(file: string): Promise<void>;
  ledger: Pick<Ledger, 'anchorOf' | 'verify'>;
  version: string;
  clock: Pick<Clock, 'nowMs'>;
  ids: Ids;
}

export const lastBackupSetting = 'backup.savedAtMs';

const partBytes = 512 * 1024;

/** Makes one backup at a time, in a temporary folder that is kept until the page has received the backup. */
export function createBackups({
  store,
  copyService,
  ledger,
  version,
  clock,
  ids,
}: BackupsOptions): Pick<AppHandlers, BackupRequest> {
  const folder = join(store.folder, 'backup');
  let made: { id: string; file: string; bytes: number } | null = null;
  let isMaking = false;

  async function make(madeAtMs: number): Promise<string> {
    const [app, anchor, service] = backupNames.map((name) => join(folder, name)) as [string, string, string];
    const { problem } = await ledger.verify();
    if (problem !== null) throw new AppError('ledger_broken', { message: notRestorable });
    emptyFolder(folder);
    await store.copyTo(app);
    const end = removeAppSecrets(app);
    const signed = end && ledger.anchorOf(end);
    // A ledger without an anchor cannot be verified later.
    if (end === null || signed === null) throw new AppError('ledger_broken');
    writeAnchor(anchor, signed);
    await copyService(service);
    removeBackendSecrets(service);
    const file = join(folder, 'packed');
    await packBackup(folder, file, {
      madeAtMs,
      appVersion: version,
      ledger: { rows: end.seq, head: end.hash },
    });
    for (const name of [app, anchor, service]) rmSync(name, removal);
    return file;
  }

  function madeAs(id: string): { file: string; bytes: number } {
    if (made?.id !== id) throw new AppError('data_run_ended');
    return made;
  }

  return {
    async 'data.backupStart'() {
      if (isMaking) throw new AppError('data_busy');
      isMaking = true;
      made = null;
      try {
        const madeAtMs = clock.nowMs();
        const file = await make(madeAtMs);
        made = { id: ids.id(), file, bytes: statSync(file).size };
        return { id: made.id, name: nameAt(madeAtMs), bytes: made.bytes };
      } catch (failure) {
        rmSync(folder, removal);
        throw failure;
      } finally {
        isMaking = false;
      }
    },
    async 'data.backupPart'({ id, offset }) {
      const { file, bytes } = madeAs(id);
      const part = await readPart(file, offset);
      const next = offset + part.length;
      return { bytes: part.toString('base64'), next: next < bytes ? next : null };
    },
    async 'data.backupEnd'({ id, isSaved }) {
      madeAs(id);
      made = null;
      rmSync(folder, removal);
      if (isSaved) store.settings.set(lastBackupSetting, String(clock.nowMs()));
      return {};
    },
  };
}

const notRestorable = 'The ledger does not verify, so no backup of it could be restored.';

function emptyFolder(folder: string): void {
  onDisk(() => {
    rmSync(folder, removal);
    mkdirSync(folder, { mode: 0o700 });
  });
}

async function readPart(file: string, offset: number): Promise<Buffer> {
  try {
    const handle = await open(file);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(partBytes), 0, partBytes, offset);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (cause) {
    throw diskFailure(cause, 'storage_failed');
  }
}

/** For example `countersign-backup-2026-11-30-1402.countersign`, in UTC. */
function nameAt(nowMs: number): string {
  const moment = new Date(nowMs).toISOString();
  return `countersign-backup-${moment.slice(0, 10)}-${moment.slice(11, 16).replace(':', '')}.countersign`;
}
