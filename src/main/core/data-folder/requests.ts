import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '#core/platform/clock.ts';
import type { AppStore } from '#core/store/app/index.ts';
import { lockFolder } from '#core/store/sqlite/folder-lock.ts';
import type { AppHandlers, AppRequest } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { type BackupsOptions, createBackups, lastBackupSetting } from './backups.ts';
import { deletionMark, replacedFolders, writeMark } from './folders.ts';
import { createRestores, type RestoresOptions } from './restores.ts';
import { lastRestoreSetting } from './complete-deletion-or-restore.ts';
import { jsonOrNull } from '#shared/lib/json/json-value.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { homedir, release, tmpdir } from 'node:os';
import type { Ledger } from '#core/ledger/index.ts';
import { redactLine } from '#shared/lib/redact.ts';
import { withoutFolders } from '#shared/lib/without-folders.ts';
import { lastLogLines } from '#system/log-files.ts';

export type DataRequests = Pick<AppHandlers, Extract<AppRequest, `data.${string}`>>;

interface DataOptions extends BackupsOptions, Omit<RestoresOptions, 'folder'> {
  store: AppStore;
  ledger: BackupsOptions['ledger'] & RestoresOptions['ledger'];
  clock: Clock;
  host: string;
  signOutEverywhere(): Promise<void>;
  endFirstScreen(): void;
  formats(): Formats;
}

const lastRestoreSchema = z.object({
  atMs: z.number(),
  failure: z.object({ message: z.string(), next: z.string() }).nullable(),
});

export function dataRequests(options: DataOptions): DataRequests {
  const { store, beginAgain, signOutEverywhere, endFirstScreen, formats } = options;
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
      endFirstScreen();
      writeMark(deletionMark(folder), { atMs: options.clock.nowMs() });
      beginAgain();
      return {};
    },
  };
}

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

interface DiagnosticsOptions {
  store: AppStore;
  ledger: Pick<Ledger, 'report'>;
  version: string;
  host: string;
  nowMs: number;
}

const linesOfEachLog = 40;

/** Contains no names, campaigns, addresses or secrets, because the user sends it to others. */
function coreDiagnostics(
  { store, ledger, version, host, nowMs }: DiagnosticsOptions,
  formats: Formats,
): string {
  const { folder, proposals } = store;
  const { state, rows, anchorFailedSinceMs, restores = [] } = ledger.report();
  const lines = [
    `Countersign core ${version}, ${host} host, ${new Date(nowMs).toISOString()}`,
    `Node ${process.versions.node}, ${process.platform} ${release()} ${process.arch}`,
    `Ledger ${state}, ${formats.counted(rows, 'row')}, restored ${formats.counted(restores.length, 'time')}${anchorFailedSinceMs === null ? '' : ', its anchor cannot be written'}`,
    `Waiting ${proposals.countWaiting()}, unknown outcomes ${proposals.countUnknownCampaigns()}`,
    `Live profiles ${store.profiles.all().length}, admitted agents ${store.agents.living().length}`,
    'Data folder:',
    ...sizes(folder),
    ...(host === 'desktop' ? [] : logLines(join(folder, 'logs'))),
  ];
  const folders = [
    [folder, '<data folder>'],
    [homedir(), '~'],
    // On Windows this path contains a short form of the user's name.
    [tmpdir(), '<temporary folder>'],
  ] as const;
  return withoutFolders(lines.join('\n'), folders, { ignoreCase: true });
}

function sizes(folder: string): string[] {
  return readdirSync(folder)
    .toSorted()
    .map((name) => {
      const found = statSync(join(folder, name), { throwIfNoEntry: false });
      return `  ${name} ${found?.isFile() === true ? `${found.size} bytes` : 'folder'}`;
    });
}

function logLines(folder: string): string[] {
  return lastLogLines(folder, linesOfEachLog).flatMap(({ name, lines }) => [
    '',
    `Last of ${name}`,
    ...lines.map(redactLine),
  ]);
}
