import {
  accessSync,
  chmodSync,
  constants,
  rmSync,
  writeFileSync,
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  type Stats,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { AppUpdater, NsisUpdater, UpdateInfo } from 'electron-updater';
import { AppError, diskFailure } from '#shared/errors/index.ts';
import { makeFolder } from '#system/replace-file.ts';
import type { LoadProgress, UpdateServer } from './update-server.ts';
import type { Update } from './update-life.ts';
import type { UpdateSource } from './update-source.ts';
import { sentence } from '#shared/lib/sentence.ts';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { replaceFileSync } from '#system/replace-file.ts';
import type { FeedFile } from './signed-feed.ts';

export interface Installer {
  /** Downloads the update unless an earlier run of the app already has. Fails with an `AppError` and then leaves no file. */
  download(update: Update, progress: LoadProgress): Promise<void>;
  /**
   * Verifies the file again. Fails with `update_file_wrong`, `update_publisher_wrong`, or `update_not_installed` if the app
   * cannot be replaced.
   */
  check(update: Update): void;
  /**
   * Verifies again and installs. Call it when the app ends. Returns true if the system restarts the app. Fails as `check` does,
   * or with `update_not_installed`.
   */
  install(update: Update): boolean;
}

interface InstallerOptions {
  source: UpdateSource;
  server: UpdateServer;
  version: string;
  folder: string;
  platform: NodeJS.Platform;
  appImage: string | undefined;
  startApp(path: string): void;
  startAgain(): void;
  /** Fails with `update_publisher_wrong` unless Windows reports this publisher for an installer. By default it asks Windows. */
  assertPublisher?: (path: string, publisher: string) => void;
}

/**
 * Private members of an updater. They are as in this version of electron-updater and may change, because no release promises
 * them.
 */
interface Inside {
  httpExecutor: { download(url: URL, destination: string): Promise<void> };
  updateInfoAndProvider: { info: UpdateInfo; provider: object };
}

/**
 * Installs with electron-updater. This module downloads and verifies the file itself, and replaces an AppImage itself
 * (docs/decisions/0054).
 */
export function createInstaller(options: InstallerOptions): Installer {
  const { source, server, version, folder, platform, appImage } = options;
  const { assertPublisher = assertWindowsPublisher } = options;
  let updater: AppUpdater | null = null;
  let downloaded: string | null = null;
  let ended: Promise<void> = Promise.resolve();

  async function load(): Promise<AppUpdater> {
    const { AppImageUpdater, MacUpdater, NsisUpdater } = await import('electron-updater');
    const Updater = platform === 'win32' ? NsisUpdater : platform === 'darwin' ? MacUpdater : AppImageUpdater;
    const made = new Updater(undefined, adapterOf(prepareFolder(folder, source.publisher), folder, version));
    // electron-updater's own check accepts a file with an unreadable signature, and skips a download of an earlier run.
    if (made instanceof NsisUpdater) made.verifyUpdateCodeSignature = async (_names, path) => refusalOf(path);
    made.logger = null;
    made.autoInstallOnAppQuit = false;
    made.disableDifferentialDownload = true;
    made.disableWebInstaller = true;
    return made;
  }

  async function refusalOf(path: string): Promise<string | null> {
    try {
      assertPublisher(path, source.publisher);
      return null;
    } catch (failure) {
      if (failure instanceof AppError) return failure.code;
      throw failure;
    }
  }

  function assertAsSigned(path: string, { file }: Update): void {
    readSignedFile(path, file);
    if (platform === 'win32') assertPublisher(path, source.publisher);
  }

  function pathOf(): string {
    if (downloaded === null) throw new AppError('update_file_wrong');
    return downloaded;
  }

  async function download(update: Update, progress: LoadProgress): Promise<void> {
    try {
      updater ??= await load();
      const inside: Inside = {
        httpExecutor: {
          download: (_url, destination) => server.loadFile(update.file, destination, progress),
        },
        updateInfoAndProvider: { info: infoOf(update), provider: providerOf(update, source.feed) },
      };
      Object.assign(updater, inside);
      [downloaded = null] = await updater.downloadUpdate();
      // The next step requires that only this user can write the file; a umask may have allowed a group.
      if (platform !== 'win32') chmodSync(pathOf(), 0o700);
    } catch (failure) {
      updater = null;
      throw asDownloadFailure(failure);
    }
  }

  return {
    // One after the other: electron-updater joins a current download, and a cancelled one removes files as it ends.
    download(update, progress) {
      const work = ended.then(() => download(update, progress));
      ended = work.catch(() => undefined);
      return work;
    },
    check(update) {
      assertAsSigned(pathOf(), update);
      if (platform === 'linux') assertReplaceable(appImage);
    },
    install(update) {
      const path = pathOf();
      if (updater === null) throw new AppError('update_file_wrong');
      try {
        if (platform === 'linux') {
          if (appImage === undefined) throw new AppError('updates_off');
          replaceAppImage(path, update.file, appImage);
          rmSync(path, { force: true });
          options.startApp(appImage);
          return false;
        }
        assertAsSigned(path, update);
        if (platform === 'win32') {
          if (!(updater as NsisUpdater).install(true, true)) throw new AppError('update_not_installed');
          return false;
        }
        updater.once('error', () => options.startAgain());
        updater.quitAndInstall();
        return true;
      } catch (cause) {
        throw cause instanceof AppError ? cause : new AppError('update_not_installed', { cause });
      }
    },
  };
}

function assertReplaceable(appImage: string | undefined): void {
  try {
    accessSync(dirname(appImage ?? ''), constants.W_OK);
  } catch (cause) {
    throw new AppError('update_not_installed', {
      message: 'The folder of Countersign cannot be written, so it was not replaced.',
      cause,
    });
  }
}

function prepareFolder(folder: string, publisher: string): string {
  makeFolder(folder, 0o700);
  if (process.platform !== 'win32') chmodSync(folder, 0o700);
  const config = join(folder, 'app-update.yml');
  writeFileSync(config, JSON.stringify({ updaterCacheDirName: 'download', publisherName: [publisher] }), {
    mode: 0o600,
  });
  return config;
}

/** The app as electron-updater sees it. It cannot quit the app, because the app must first finish the current write. */
function adapterOf(appUpdateConfigPath: string, folder: string, version: string) {
  return {
    version,
    name: 'Countersign',
    isPackaged: true,
    appUpdateConfigPath,
    userDataPath: folder,
    baseCachePath: folder,
    whenReady: () => Promise.resolve(),
    relaunch: () => {},
    quit: () => {},
    onQuit: () => {},
  };
}

function infoOf({ version, releasedAtMs, file }: Update): UpdateInfo {
  const { name, sha512, bytes } = file;
  return {
    version,
    releaseDate: new Date(releasedAtMs).toISOString(),
    files: [{ url: name, sha512, size: bytes }],
    path: name,
    sha512,
  };
}

/** Replaces electron-updater's provider of feeds. electron-updater only asks it for the files of one update. */
function providerOf({ file }: Update, feed: string): object {
  const { name, sha512, bytes } = file;
  return {
    fileExtraDownloadHeaders: {},
    resolveFiles: () => [{ url: new URL(name, feed), info: { url: name, sha512, size: bytes } }],
  };
}

function asDownloadFailure(failure: unknown): unknown {
  if (failure instanceof AppError) return failure;
  const code = failure instanceof Error && 'code' in failure ? failure.code : null;
  if (code === 'ERR_UPDATER_INVALID_SIGNATURE')
    return new AppError('update_publisher_wrong', { cause: failure });
  return diskFailure(failure, 'storage_failed', sentence`The update cannot be kept on disk.`);
}

export type RunPowerShell = (command: string, variables: Readonly<Record<string, string>>) => string;

/** The path is passed in a variable, so that no path becomes part of a command. Status 0 is `Valid`. */
const command = `
[Console]::OutputEncoding = [Text.Encoding]::UTF8
$signature = Get-AuthenticodeSignature -LiteralPath $env:COUNTERSIGN_UPDATE
$certificate = $signature.SignerCertificate
$name = if ($certificate) { $certificate.GetNameInfo('SimpleName', $false) } else { '' }
@{ status = [int]$signature.Status; publisher = $name } | ConvertTo-Json -Compress
`;

/** Fails with `update_publisher_wrong` unless Windows accepts this publisher's signature. electron-updater passes unreadable ones. */
export function assertWindowsPublisher(
  path: string,
  publisher: string,
  run: RunPowerShell = runPowerShell,
): void {
  const found = signatureOf(path, run);
  if (found.status === 0 && found.publisher === publisher && publisher !== '') return;
  throw new AppError('update_publisher_wrong', {
    data: { status: typeof found.status === 'number' ? found.status : null },
  });
}

function signatureOf(path: string, run: RunPowerShell): { status: unknown; publisher: unknown } {
  try {
    const found: unknown = JSON.parse(run(command, { COUNTERSIGN_UPDATE: path }));
    if (typeof found === 'object' && found !== null && 'status' in found && 'publisher' in found)
      return found;
    return { status: null, publisher: null };
  } catch (cause) {
    throw new AppError('update_publisher_wrong', { cause });
  }
}

/** Clears the module path, because the path of another PowerShell version would prevent the command from loading. */
function runPowerShell(text: string, variables: Readonly<Record<string, string>>): string {
  const root = process.env['SystemRoot'] ?? 'C:\\Windows';
  return execFileSync(
    `${root}\\System32\\WindowsPowerShell\\v1.0\\powershell.exe`,
    ['-NoProfile', '-NonInteractive', '-Command', text],
    {
      env: { ...process.env, PSModulePath: '', ...variables },
      timeout: 20_000,
      encoding: 'utf8',
      windowsHide: true,
    },
  );
}

const chunkBytes = 4 * 1024 * 1024;

/** Reads through one handle. Fails with `update_file_wrong` unless it is this user's file with the signed length and hash. */
function readSignedFile(path: string, file: FeedFile, take: (part: Buffer) => void = () => {}): void {
  const handle = openOrWrong(path);
  try {
    if (!isOwn(fstatSync(handle))) throw new AppError('update_file_wrong');
    const hash = createHash('sha512');
    const buffer = Buffer.alloc(chunkBytes);
    let size = 0;
    for (;;) {
      const length = readSync(handle, buffer, 0, chunkBytes, null);
      size += length;
      if (length === 0 || size > file.bytes) break;
      const part = buffer.subarray(0, length);
      hash.update(part);
      take(part);
    }
    if (size !== file.bytes || hash.digest('base64') !== file.sha512) throw new AppError('update_file_wrong');
  } finally {
    closeSync(handle);
  }
}

function openOrWrong(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch (cause) {
    throw new AppError('update_file_wrong', { cause });
  }
}

/**
 * On Windows every file passes, because file modes are meaningless there; the app restricts access to the folder when it
 * starts.
 */
function isOwn(stats: Stats): boolean {
  if (!stats.isFile()) return false;
  return process.getuid === undefined || (stats.uid === process.getuid() && (stats.mode & 0o022) === 0);
}

/**
 * Writes the verified bytes next to the running AppImage and renames them over it, so that a failure leaves the old AppImage
 * unchanged.
 */
function replaceAppImage(from: string, file: FeedFile, target: string): void {
  const next = `${target}.update`;
  rmSync(next, { force: true });
  try {
    const handle = openSync(next, 'wx', 0o755);
    try {
      readSignedFile(from, file, (part) => writeWhole(handle, part));
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    replaceFileSync(next, target);
  } catch (failure) {
    rmSync(next, { force: true });
    throw failure;
  }
}

function writeWhole(handle: number, part: Buffer): void {
  for (let at = 0; at < part.length;) at += writeSync(handle, part, at);
}
