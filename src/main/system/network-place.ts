import { execFileSync } from 'node:child_process';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';

export interface NetworkPlaceParts {
  platform: NodeJS.Platform;
  realPath(path: string): string;
  /** The mounts in the system's format: `/proc/self/mounts`, or the output of `mount` on macOS. Not called on Windows. */
  mounts(): string;
}

const remoteTypes =
  /^(nfs\d?|cifs|smb\d?|smbfs|afpfs|afs|webdav|davfs|ncpfs|coda|ceph|lustre|glusterfs|vboxsf|macfuse|osxfuse|fuse\.(sshfs|rclone|glusterfs|davfs2?|smbnetfs|gvfsd-fuse|curlftpfs|s3fs))$/;

/** The network share or file system of a folder; null for a local disk. SQLite's log needs shared memory, not available there. */
export function networkPlaceOf(folder: string, parts: NetworkPlaceParts = system): string | null {
  if (parts.platform === 'win32') {
    return shareOf(folder) ?? shareOf(nearestReal(folder, { ...parts, parentOf: win32.dirname }));
  }
  const type = fileSystemOf(folder, parts);
  return type !== null && remoteTypes.test(type) ? type : null;
}

function fileSystemOf(path: string, parts: NetworkPlaceParts = system): string | null {
  const real = nearestReal(path, { ...parts, parentOf: posix.dirname });
  return typeAt(real, mountsIn(textOf(parts), parts.platform));
}

/** Resolves the nearest existing folder above, because a folder that does not exist yet will be created there. */
function nearestReal(
  folder: string,
  { realPath, parentOf }: Pick<NetworkPlaceParts, 'realPath'> & { parentOf(path: string): string },
): string {
  for (let at = folder; ; at = parentOf(at)) {
    try {
      return realPath(at);
    } catch (failure) {
      const isMissing = failure instanceof Error && 'code' in failure && failure.code === 'ENOENT';
      // If a drive's target is unknown, its name is used.
      if (!isMissing || at === parentOf(at)) return folder;
    }
  }
}

/** Finds `\\server\share`, also in its long form. A drive letter, `\\?\C:\` and a device are not shares. */
function shareOf(path: string): string | null {
  const [, server = '', share = ''] =
    /^[\\/]{2}(?:\?[\\/]UNC[\\/])?([^\\/?.][^\\/]*)[\\/]([^\\/]+)/i.exec(path) ?? [];
  return server === '' ? null : `\\\\${server}\\${share}`;
}

function textOf({ mounts }: NetworkPlaceParts): string {
  try {
    return mounts();
  } catch {
    // If the system does not list its mounts, no folder is refused.
    return '';
  }
}

interface Mount {
  point: string;
  type: string;
}

function mountsIn(text: string, platform: NodeJS.Platform): Mount[] {
  const form = platform === 'darwin' ? / on (.+) \(([^\s,)]+)/ : /^\S+ (\S+) (\S+)/;
  return text.split('\n').flatMap((line) => {
    const [, point = '', type = ''] = form.exec(line) ?? [];
    return point === '' ? [] : [{ point: unescaped(point), type }];
  });
}

/** Linux writes a space in a mount point as `\040`. */
const unescaped = (point: string): string =>
  point.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));

/** The type of the innermost mount. Of several mounts with the same path, only the last counts. */
function typeAt(path: string, mounts: readonly Mount[]): string | null {
  let found: Mount | null = null;
  for (const mount of mounts) {
    const isAbove = path === mount.point || path.startsWith(mount.point.replace(/\/?$/, '/'));
    if (isAbove && mount.point.length >= (found?.point.length ?? 0)) found = mount;
  }
  return found?.type ?? null;
}

const system: NetworkPlaceParts = {
  platform: process.platform,
  realPath: (path) => realpathSync.native(path),
  mounts: () =>
    process.platform === 'darwin'
      ? execFileSync('/sbin/mount', { encoding: 'utf8', timeout: 5_000 })
      : readFileSync('/proc/self/mounts', 'utf8'),
};

export interface IdentityParts {
  platform: NodeJS.Platform;
  stat(file: string): { dev: bigint; ino: bigint } | undefined;
  /** Type of the file system that contains the file; null if unknown. Called on macOS only. */
  fileSystem(file: string): string | null;
}

/** On macOS these number a file by the place of its content, so the number of an empty file changes when it grows. */
const numberedByContent: ReadonlySet<string> = new Set(['exfat', 'msdos']);

/** Detects a file that replaces another under its name; null if absent. Without stable file numbers, detects presence only. */
export function watchIdentity(file: string, parts: IdentityParts = systemFacts): () => string | null {
  const { platform, stat, fileSystem } = parts;
  const isNumbered =
    platform !== 'win32' && !(platform === 'darwin' && numberedByContent.has(fileSystem(file) ?? ''));
  return () => {
    const found = stat(file);
    if (found === undefined) return null;
    return isNumbered && found.ino !== 0n ? `${found.dev} ${found.ino}` : 'present';
  };
}

const systemFacts: IdentityParts = {
  platform: process.platform,
  stat: (file) => statSync(file, { bigint: true, throwIfNoEntry: false }),
  fileSystem: (file) => fileSystemOf(file),
};
