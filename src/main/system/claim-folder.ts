import { chmodSync, realpathSync, statSync } from 'node:fs';
import { dirname, win32 } from 'node:path';
import { AppError } from '#shared/errors/index.ts';
import { diskFailureAt, makeFolder } from './replace-file.ts';
import { type NetworkPlaceParts, networkPlaceOf } from './network-place.ts';
import { sentence } from '#shared/lib/sentence.ts';
import { execFileSync } from 'node:child_process';
import { homedir } from 'node:os';

export interface ClaimParts {
  place?: NetworkPlaceParts;
  restrict?: RestrictParts;
}

/** Creates a private data folder. Fails with `data_folder_remote`, `data_folder_open`, or as {@link preparePrivateFolder} does. */
export function claimFolder(folder: string, { place, restrict }: ClaimParts = {}): void {
  const remote = networkPlaceOf(folder, place);
  if (remote !== null) {
    throw new AppError('data_folder_remote', {
      message: sentence`The data folder is on a network (${remote}), where the data would not be safe. None of your data was stored there.`,
      data: { folder, place: remote },
    });
  }
  preparePrivateFolder(folder);
  try {
    restrictFolder(folder, restrict);
  } catch (cause) {
    throw new AppError('data_folder_open', { data: { folder }, cause });
  }
}

const sticky = 0o1000;

/** Creates the folder (0700). Fails with `data_folder_unusable` if it is shared or another user's, `disk_full` or `disk_read_only`. */
export function preparePrivateFolder(folder: string): void {
  try {
    makeFolder(folder, 0o700);
    const { mode, uid } = statSync(folder);
    // Root can write to a folder of another user, but its owner could still read and replace the data.
    const me = process.getuid?.();
    if (me !== undefined && uid !== me) throw ofAnotherUser(folder, uid);
    if ((mode & sticky) !== 0) throw new Error('The folder is shared with other users.');
    if ((mode & 0o077) !== 0) chmodSync(folder, 0o700);
  } catch (failure) {
    if (failure instanceof AppError) throw failure;
    throw diskFailureAt(dirname(folder), failure, 'data_folder_unusable');
  }
}

function ofAnotherUser(folder: string, uid: number): AppError {
  return new AppError('data_folder_unusable', {
    message: sentence`The data folder belongs to another user (number ${uid}), who could read and replace what is stored there. Nothing was changed.`,
    data: { folder, uid },
  });
}

interface RestrictParts {
  platform: NodeJS.Platform;
  profile: string;
  systemRoot: string;
  /** Resolves links and mapped drives. Fails if the path does not exist, or if a drive's target is unknown. */
  realPath(path: string): string;
  run(program: string, args: readonly string[]): string;
}

/** SIDs of the system and of administrators. They are allowed, because they can access every file anyway. */
const always = ['S-1-5-18', 'S-1-5-32-544'] as const;

/** SIDs of groups with other people of the computer: everyone, anonymous and signed-in users, the users group and guests. */
const groups = [
  'S-1-1-0',
  'S-1-5-7',
  'S-1-5-11',
  'S-1-5-2',
  'S-1-5-4',
  'S-1-5-32-545',
  'S-1-5-32-546',
] as const;

const fullControl = (sid: string): string => `*${sid}:(OI)(CI)F`;

/** Replaces a folder's permissions on Windows: only the user, the system and administrators. Fails for the root of a drive. */
export function restrictFolder(folder: string, parts: RestrictParts = system): void {
  const { platform, profile, systemRoot, realPath, run } = parts;
  if (platform !== 'win32') return;
  const real = realOf(folder, realPath);
  if (isInside(real, realOf(profile, realPath))) return;
  if ([folder, real].some((path) => win32.parse(path).root === win32.resolve(path))) {
    throw new Error('The folder is a whole drive, which others may need');
  }
  const tool = (name: string): string => win32.join(systemRoot, 'System32', `${name}.exe`);
  // Uses SIDs, because account names differ with the language of Windows.
  const [person] = /S-1-[\d-]+/.exec(run(tool('whoami'), ['/user', '/fo', 'csv', '/nh'])) ?? [];
  if (person === undefined) throw new Error('Windows did not say whose account this is');
  const own = [person, ...always].map(fullControl);
  const others = groups.map((sid) => `*${sid}`);
  run(tool('icacls'), [folder, '/inheritance:r', '/grant:r', ...own, '/remove:g', ...others, '/q']);
}

function realOf(path: string, realPath: RestrictParts['realPath']): string {
  try {
    return realPath(path);
  } catch {
    return path;
  }
}

function isInside(folder: string, profile: string): boolean {
  const below = win32.relative(profile, folder);
  return !win32.isAbsolute(below) && below !== '..' && !below.startsWith('..\\');
}

const system: RestrictParts = {
  platform: process.platform,
  profile: homedir(),
  systemRoot: process.env['SystemRoot'] ?? 'C:\\Windows',
  realPath: (path) => realpathSync.native(path),
  run: (program, args) =>
    execFileSync(program, args, { encoding: 'utf8', timeout: 20_000, windowsHide: true }),
};
