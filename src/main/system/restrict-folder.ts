import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { win32 } from 'node:path';

/** System access for restricting a folder; a test brings doubles. */
export interface RestrictParts {
  platform: NodeJS.Platform;
  /** The person's profile: what Windows makes there is closed to others already. */
  profile: string;
  /** Windows' own folder. */
  systemRoot: string;
  /** The path behind links and mapped drives. Fails where nothing has the name, and where a drive cannot say where it leads. */
  realPath(path: string): string;
  /** Runs a program to its end and returns what it said. Fails where the program does. */
  run(program: string, args: readonly string[]): string;
}

/** The system itself, and administrators, who can take every file anyway: Windows gives both the profile, too. */
const always = ['S-1-5-18', 'S-1-5-32-544'] as const;

/** Groups that other people of the computer are in: everyone, signed in or not, and the group of users and of guests. */
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

/**
 * Closes a folder outside of the profile to other people on Windows, where file modes say nothing: it inherits no permission,
 * gives the person, the system and administrators all of them, as the profile does, and no group of others any. One step does
 * it, so that no start opens it for a moment. Elsewhere, and inside of the profile, links followed, nothing is done. Fails where
 * Windows does not do it (a disk without permissions, say), and for a whole drive.
 */
export function restrictFolder(folder: string, parts: RestrictParts = system): void {
  const { platform, profile, systemRoot, realPath, run } = parts;
  if (platform !== 'win32') return;
  const real = realOf(folder, realPath);
  if (isInside(real, realOf(profile, realPath))) return;
  if ([folder, real].some((path) => win32.parse(path).root === win32.resolve(path))) {
    throw new Error('The folder is a whole drive, which others may need');
  }
  const tool = (name: string): string => win32.join(systemRoot, 'System32', `${name}.exe`);
  // By number: names of accounts differ with the language of Windows.
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
