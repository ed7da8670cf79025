import { describe, expect, test } from 'vitest';
import { networkPlaceOf } from '#system/network-place.ts';
import { tempFolder } from '../servers/temp-folder.ts';

/** A system on which only these paths exist. Each path is a link to another path, or resolves to itself. */
function having(paths: Record<string, string>) {
  return (path: string): string => {
    const found = paths[path];
    if (found === undefined) throw Object.assign(new Error('No such file'), { code: 'ENOENT' });
    return found;
  };
}

describe('on Windows', () => {
  const place = (folder: string, paths: Record<string, string>): string | null =>
    networkPlaceOf(folder, {
      platform: 'win32',
      realPath: having(paths),
      mounts: () => {
        throw new Error('Nothing mounts here');
      },
    });

  test.each([
    [
      'a folder of the profile',
      'C:\\Profiles\\Jürgen Ö\\AppData\\Roaming\\Countersign',
      { 'C:\\': 'C:\\' },
      null,
    ],
    ['the long form of a path', '\\\\?\\C:\\Data', { '\\\\?\\C:\\': 'C:\\' }, null],
    ['a share', '\\\\server\\home$\\Countersign', {}, '\\\\server\\home$'],
    ['a share with slashes', '//server/home/Countersign', {}, '\\\\server\\home'],
    ['the long form of a share', '\\\\?\\UNC\\server\\home\\x', {}, '\\\\server\\home'],
    ['a mapped drive', 'Z:\\Countersign\\data', { 'Z:\\': '\\\\server\\home\\' }, '\\\\server\\home'],
    [
      'a redirected folder',
      'C:\\Profiles\\a\\AppData\\data',
      { 'C:\\Profiles\\a\\AppData': '\\\\server\\profiles\\a\\AppData' },
      '\\\\server\\profiles',
    ],
    ['a drive that leads to another folder', 'X:\\data', { 'X:\\': 'C:\\Work\\' }, null],
  ])('%s', (_, folder, paths, found) => {
    expect(place(folder, paths)).toBe(found);
  });

  test('a drive without a known target is judged by its name', () => {
    const realPath = (): string => {
      throw Object.assign(new Error('Wrong function'), { code: 'EISDIR' });
    };
    const parts = { platform: 'win32' as const, realPath, mounts: () => '' };
    expect(networkPlaceOf('R:\\data', parts)).toBe(null);
  });
});

describe('on Linux', () => {
  const mounts = `
/dev/vda / ext4 rw 0 0
server:/srv /srv nfs4 rw,vers=4.2 0 0
/dev/vdb /srv/local ext4 rw 0 0
auto /net autofs rw 0 0
//server/s /net cifs rw 0 0
me@server:/ /mnt/my\\040server fuse.sshfs rw 0 0
/dev/vdc /mnt/stick fuseblk rw 0 0
`;
  const parts = { platform: 'linux' as const, realPath: (path: string) => path, mounts: () => mounts };

  test.each([
    ['/var/data', null],
    ['/srv/me/.config', 'nfs4'],
    ['/srvwork', null],
    ['/srv/local/me', null],
    ['/net/x', 'cifs'],
    ['/mnt/my server/x', 'fuse.sshfs'],
    ['/mnt/stick/x', null],
  ])('%s', (folder, found) => {
    expect(networkPlaceOf(folder, parts)).toBe(found);
  });

  test('a folder that does not exist yet is judged by its parent, with links followed', () => {
    const realPath = having({ '/data': '/srv/me' });
    expect(networkPlaceOf('/data/countersign/new', { ...parts, realPath })).toBe('nfs4');
  });

  test('no folder is refused if the system does not list its mounts', () => {
    const silent = (): string => {
      throw new Error('No /proc');
    };
    expect(networkPlaceOf('/srv/me', { ...parts, mounts: silent })).toBe(null);
  });
});

test.each([
  ['/Library/me', null],
  ['/Volumes/team share (1)/x', 'smbfs'],
  ['/Volumes/nas/x', 'afpfs'],
])('on macOS, %s', (folder, found) => {
  const mounts = `/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)
map auto_home on /System/Volumes/Data/srv (autofs, automounted, nobrowse)
//me@server/team on /Volumes/team share (1) (smbfs, nodev, nosuid, mounted by me)
//me@nas/x on /Volumes/nas (afpfs, nodev)`;
  const parts = { platform: 'darwin' as const, realPath: (path: string) => path, mounts: () => mounts };
  expect(networkPlaceOf(folder, parts)).toBe(found);
});

test('a temporary folder of this computer is not on a network', () => {
  expect(networkPlaceOf(tempFolder())).toBe(null);
});
