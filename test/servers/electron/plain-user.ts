import { chmodSync, chownSync, mkdirSync, readdirSync, lstatSync, writeFileSync } from 'node:fs';
import { execFileSync, spawnSync } from 'node:child_process';
import { basename, dirname, join } from 'node:path';

/**
 * The user that runs Electron in tests: the current user, or a user without rights if the current user is root, because
 * Electron refuses root.
 */
export interface PlainUser {
  /**
   * Writes a file that runs `executable` as this user, with the file's own arguments and in the file's own process. Returns
   * its path.
   */
  wrap(executable: string, folder: string): string;
  /** Makes this user the owner of a file, or of a folder with all of its content. */
  own(path: string): void;
  /** Returns whether this user can read the path. */
  canRead(path: string): boolean;
}

/**
 * Returns the user for tests. For root on Linux this is `nobody`; setpriv replaces itself with the program, so that its pid
 * is the program's pid.
 */
export function plainUser(): PlainUser {
  if (process.getuid?.() !== 0) return { wrap: (executable) => executable, own() {}, canRead: () => true };
  const uid = idOf('-u');
  const gid = idOf('-g');
  const become = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--'];
  return {
    wrap(executable, folder) {
      const file = join(folder, `${basename(executable)}-as-nobody`);
      writeFileSync(file, `#!/bin/sh\nexec ${become.join(' ')} '${executable}' "$@"\n`);
      chmodSync(file, 0o755);
      return file;
    },
    own: (path) => giveAway(path, uid, gid),
    canRead: (path) => spawnSync('setpriv', [...become.slice(1), 'test', '-r', path]).status === 0,
  };
}

const idOf = (flag: '-u' | '-g'): number =>
  Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));

function giveAway(path: string, uid: number, gid: number): void {
  chownSync(path, uid, gid);
  if (!lstatSync(path).isDirectory()) return;
  for (const name of readdirSync(path)) giveAway(join(path, name), uid, gid);
}

/** Makes a folder that belongs to this user. */
export function ownFolder(user: PlainUser, path: string): string {
  // Parent folders must be accessible for everybody, so that the user can reach the folder.
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
  mkdirSync(path, { mode: 0o700 });
  user.own(path);
  return path;
}
