import { execFileSync } from 'node:child_process';
import { homedir } from 'node:os';
import { win32 } from 'node:path';

/** System access for restricting a folder; a test brings doubles. */
export interface RestrictParts {
  platform: NodeJS.Platform;
  /** The person's profile: what Windows makes there is closed to others already. */
  profile: string;
  /** Windows' own folder. */
  systemRoot: string;
  /** Runs a program to its end and returns what it said. Fails where the program does. */
  run(program: string, args: readonly string[]): string;
}

/** The system itself, and administrators, who can take every file anyway: Windows gives both the profile, too. */
const always = ['S-1-5-18', 'S-1-5-32-544'] as const;

const fullControl = (sid: string): string => `*${sid}:(OI)(CI)F`;

/**
 * Closes a folder outside of the profile to other people on Windows, where file modes say nothing: it inherits no permission,
 * and has those of the person, the system and administrators alone, as the profile does. Elsewhere, and inside of the profile,
 * nothing is done. Fails where Windows does not do it (a disk without permissions, say), and for a whole drive.
 */
export function restrictFolder(folder: string, parts: RestrictParts = system): void {
  const { platform, profile, systemRoot, run } = parts;
  if (platform !== 'win32' || isInside(folder, profile)) return;
  if (win32.parse(folder).root === win32.resolve(folder)) {
    throw new Error('The folder is a whole drive, which others may need');
  }
  const tool = (name: string): string => win32.join(systemRoot, 'System32', `${name}.exe`);
  // By number: names of accounts differ with the language of Windows.
  const [person] = /S-1-[\d-]+/.exec(run(tool('whoami'), ['/user', '/fo', 'csv', '/nh'])) ?? [];
  if (person === undefined) throw new Error('Windows did not say whose account this is');
  run(tool('icacls'), [folder, '/reset', '/q']);
  run(tool('icacls'), [folder, '/inheritance:r', '/grant:r', ...[person, ...always].map(fullControl), '/q']);
}

function isInside(folder: string, profile: string): boolean {
  const below = win32.relative(profile, folder);
  return !win32.isAbsolute(below) && below !== '..' && !below.startsWith('..\\');
}

const system: RestrictParts = {
  platform: process.platform,
  profile: homedir(),
  systemRoot: process.env['SystemRoot'] ?? 'C:\\Windows',
  run: (program, args) =>
    execFileSync(program, args, { encoding: 'utf8', timeout: 20_000, windowsHide: true }),
};
