import { readdirSync, statSync } from 'node:fs';
import { homedir, release, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ledger } from '#core/ledger/index.ts';
import type { AppStore } from '#core/store/app/index.ts';
import { redactLine } from '#shared/lib/redact.ts';
import { withoutFolders } from '#shared/lib/without-folders.ts';
import { lastLogLines } from '#system/log-files.ts';
import type { Formats } from '#shared/lib/formats.ts';

export interface DiagnosticsOptions {
  store: AppStore;
  ledger: Pick<Ledger, 'report'>;
  version: string;
  host: string;
  nowMs: number;
}

const linesOfEachLog = 40;

/**
 * Facts about the core and its folder that help to find a fault, as text: no name, no campaign, no address, no secret. The last lines of the
 * logs belong to it where no desktop adds them.
 */
export function coreDiagnostics(
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
    // On Windows it names the person by a short name of its own.
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
