import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { testRuntimeFolder } from '../../scripts/lib/find-electron.ts';

const run = promisify(execFile);

/** A Debian in a folder, with one plain user and nothing that the app needs. */
export interface CleanRoot {
  /** The folder that is the root (`/`) of the system. */
  folder: string;
  /** Runs a shell command as root and returns its output. Fails with the complete output. */
  asRoot(command: string): Promise<string>;
  /** Runs a shell command as the plain user, like `asRoot`. */
  asUser(command: string): Promise<string>;
  /** Starts a shell command as the plain user. It runs until the caller ends its process. */
  startAsUser(command: string): ChildProcess;
  remove(): void;
}

export const userName = 'buyer';

const release = 'bookworm';
const enterScript = new URL('enter-root.sh', import.meta.url).pathname;
const enter = [
  '--mount',
  '--pid',
  '--fork',
  '--kill-child',
  '--ipc',
  '--propagation',
  'private',
  'sh',
  enterScript,
];

/**
 * Makes a root with the packages that every Debian has. Packages are downloaded once and kept next to the runtime for tests,
 * including packages that are installed later.
 */
export async function makeCleanRoot(): Promise<CleanRoot> {
  const cache = dirname(testRuntimeFolder());
  const archive = join(cache, `debian-${release}.tar`);
  if (!existsSync(archive)) await download(archive);
  const folder = mkdtempSync(join(tmpdir(), 'countersign-root-'));
  // The device files are created when the root is entered.
  await run('tar', ['-xf', archive, '-C', folder, '--exclude=./dev/*']);
  copyFileSync('/etc/resolv.conf', join(folder, 'etc/resolv.conf'));
  const downloads = join(cache, `debian-${release}-packages`);
  mkdirSync(downloads, { recursive: true });
  const root = enterable(folder);
  await run('cp', ['-a', '-t', join(folder, 'var/cache/apt/archives'), ...(await packagesIn(downloads))]);
  await root.asRoot(`rm -f /etc/apt/apt.conf.d/docker-clean
    apt-get -qq update
    useradd --create-home --shell /bin/sh ${userName}`);
  return {
    ...root,
    remove() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Keeps the packages that a root has downloaded for the next root. */
export async function keepDownloads({ folder }: CleanRoot): Promise<void> {
  const found = await packagesIn(join(folder, 'var/cache/apt/archives'));
  await run('cp', ['-n', '-t', join(dirname(testRuntimeFolder()), `debian-${release}-packages`), ...found]);
}

async function packagesIn(folder: string): Promise<string[]> {
  const { stdout } = await run('find', [folder, '-name', '*.deb']);
  // cp fails if it gets no file to copy.
  return ['/etc/hostname', ...stdout.split('\n').filter((path) => path !== '')];
}

async function download(archive: string): Promise<void> {
  const made = `${archive}.${process.pid}`;
  await run('mmdebstrap', ['--variant=minbase', '--mode=root', '--quiet', '--format=tar', release, made]);
  renameSync(made, archive);
}

function enterable(folder: string): Pick<CleanRoot, 'folder' | 'asRoot' | 'asUser' | 'startAsUser'> {
  const asRoot = async (command: string): Promise<string> => {
    const args = [...enter, folder, '/bin/sh', '-ec', command];
    const env = {
      PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
      DEBIAN_FRONTEND: 'noninteractive',
      LC_ALL: 'C.UTF-8',
    };
    const { stdout } = await run('unshare', args, { env, maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  };
  const become = ['/sbin/runuser', '-u', userName, '--', '/bin/sh', '-ec'];
  const userEnv = {
    PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: `/home/${userName}`,
    USER: userName,
    LANG: 'C.UTF-8',
    XDG_CURRENT_DESKTOP: 'X-Tests',
  };
  const inHome = (command: string): string => `cd "$HOME"; ${command}`;
  return {
    folder,
    asRoot,
    async asUser(command) {
      const args = [...enter, folder, ...become, inHome(command)];
      return (await run('unshare', args, { env: userEnv, maxBuffer: 64 * 1024 * 1024 })).stdout;
    },
    startAsUser: (command) =>
      spawn('unshare', [...enter, folder, ...become, inHome(command)], {
        env: userEnv,
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
  };
}
