import { chmodSync, chownSync, mkdirSync, readdirSync, lstatSync, writeFileSync } from 'node:fs';
import { execFileSync, spawnSync } from 'node:child_process';
import { basename, dirname, join } from 'node:path';

/** User that runs Electron in tests: ourselves, or where we are root, a user without rights, for Electron refuses root. */
export interface PlainUser {
  /** A file that runs `executable` as this user with the arguments it gets, in the process that it is started in. */
  wrap(executable: string, folder: string): string;
  /** Gives a file or a folder with all it holds to this user. */
  own(path: string): void;
  /** Can this user read it? */
  canRead(path: string): boolean;
}

/** The user for tests. On Linux as root this is `nobody`; setpriv becomes the program, so that its pid is the program's. */
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

/** Makes a folder of this user's own. */
export function ownFolder(user: PlainUser, path: string): string {
  // Those above it are for everybody: the user has to come through.
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
  mkdirSync(path, { mode: 0o700 });
  user.own(path);
  return path;
}
