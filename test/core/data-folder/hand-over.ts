import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Core } from '#core/compose/compose.ts';
import {
  type BackupHeader,
  packBackup,
  parseBackupHeader,
  unpackBackup,
} from '#core/data-folder/backup-file.ts';
import type { AppOutput } from '#shared/app-api/index.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';

type Requests = Pick<Core, 'handlers'>;

/** Makes a backup and downloads it part by part, as the page does. */
export async function fetchBackup({ handlers }: Requests): Promise<Buffer> {
  const { id, bytes } = await handlers['data.backupStart']({});
  const parts: Buffer[] = [];
  for (let offset: number | null = 0; offset !== null;) {
    const part: AppOutput<'data.backupPart'> = await handlers['data.backupPart']({ id, offset });
    parts.push(Buffer.from(part.bytes, 'base64'));
    offset = part.next;
  }
  await handlers['data.backupEnd']({ id, isSaved: true });
  const file = Buffer.concat(parts);
  if (file.length !== bytes) throw new Error(`${file.length} bytes of ${bytes} came`);
  return file;
}

const partBytes = 300_000;

/** Uploads a backup and lets it be checked. Returns the id of the restore and the result of the check. */
export async function handOver(
  { handlers }: Requests,
  backup: Buffer,
): Promise<{ id: string; found: AppOutput<'data.restoreCheck'> }> {
  const { id } = await handlers['data.restoreStart']({});
  for (let at = 0; at < backup.length; at += partBytes) {
    const bytes = backup.subarray(at, at + partBytes).toString('base64');
    await handlers['data.restorePart']({ id, bytes });
  }
  return { id, found: await handlers['data.restoreCheck']({ id }) };
}

/** Uploads a backup, checks it and presses Restore. The core then restarts on the backup. */
export async function askForRestore(core: Requests, backup: Buffer): Promise<void> {
  const { id } = await handOver(core, backup);
  await core.handlers['data.restore']({ id });
}

/** Length of a backup's header in bytes. */
export const headerLength = 4096;

export const app = (folder: string): string => join(folder, 'countersign.sqlite');
export const service = (folder: string): string => join(folder, 'backend.sqlite');

/** Packs the backup again with changed files, and with sizes and hashes that match them. */
export async function repacked(
  backup: Buffer,
  change: (folder: string) => unknown,
  ledger: () => BackupHeader['ledger'] | null = () => null,
): Promise<Buffer> {
  const folder = tempFolder();
  const from = join(folder, 'from');
  writeFileSync(from, backup);
  const header = parseBackupHeader(backup.subarray(0, headerLength));
  await unpackBackup(from, header, folder);
  await change(folder);
  const target = join(folder, 'packed');
  await packBackup(folder, target, { ...header, ledger: ledger() ?? header.ledger });
  return readFileSync(target);
}
