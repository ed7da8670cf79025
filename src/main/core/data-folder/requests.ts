import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '#core/platform/clock.ts';
import type { AppStore } from '#core/store/app/index.ts';
import { lockFolder } from '#core/store/sqlite/index.ts';
import type { AppHandlers, AppRequest } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { coreDiagnostics } from './diagnostics.ts';
import { type BackupsOptions, createBackups, lastBackupSetting } from './backups.ts';
import { deletionMark, replacedFolders, writeMark } from './folders.ts';
import { createRestores, type RestoresOptions } from './restores.ts';
import { lastRestoreSetting } from './settle-folder.ts';
import { jsonOrNull } from '#shared/lib/json/json-value.ts';
import type { Formats } from '#shared/lib/formats.ts';

/** The requests about the data folder as a whole. */
export type DataRequests = Pick<AppHandlers, Extract<AppRequest, `data.${string}`>>;

export interface DataOptions extends BackupsOptions, Omit<RestoresOptions, 'folder'> {
  store: AppStore;
  ledger: BackupsOptions['ledger'] & RestoresOptions['ledger'];
  clock: Clock;
  host: string;
  /** Signs out of every live service, as far as they answer in time. */
  signOutEverywhere(): Promise<void>;
  /** How numbers and moments are written at this time. */
  formats(): Formats;
}

const lastRestoreSchema = z.object({
  atMs: z.number(),
  failure: z.object({ message: z.string(), next: z.string() }).nullable(),
});

/** Makes the requests of backup, restore and deletion (docs/decisions/0055-backups-and-restores.md). */
export function dataRequests(options: DataOptions): DataRequests {
  const { store, beginAgain, signOutEverywhere, formats } = options;
  const { folder, settings } = store;
  return {
    ...createBackups(options),
    ...createRestores({ ...options, folder }),
    async 'data.get'() {
      const savedAtMs = settings.get(lastBackupSetting);
      const last = settings.get(lastRestoreSetting);
      return {
        lastBackupAtMs: z.int().safeParse(jsonOrNull(savedAtMs ?? '')).data ?? null,
        lastRestore: lastRestoreSchema.safeParse(jsonOrNull(last ?? '')).data ?? null,
        replaced: replacedFolders(folder),
      };
    },
    async 'data.diagnostics'() {
      return { text: coreDiagnostics({ ...options, nowMs: options.clock.nowMs() }, formats()) };
    },
    async 'data.delete'() {
      await assertNoTraining(join(folder, 'training'), options.clock);
      await signOutEverywhere();
      writeMark(deletionMark(folder), { atMs: options.clock.nowMs() });
      beginAgain();
      return {};
    },
  };
}

/** Training has a core of its own, which holds the lock of its folder while it is open. */
async function assertNoTraining(folder: string, clock: Clock): Promise<void> {
  if (!existsSync(folder)) return;
  try {
    await lockFolder({ folder, host: 'deletion', clock }).dispose();
  } catch (failure) {
    if (failure instanceof AppError && failure.code === 'data_folder_locked')
      throw new AppError('training_running', { cause: failure });
    throw failure;
  }
}
