/**
 * `npm run test:installed`: creates a Debian in a folder, installs the package there, uses it as a plain user, upgrades and
 * removes it. Needs Linux, root, permission to mount, user namespaces and Debian's mirror. If it cannot run, its files are
 * skipped and counted, with the reason; with `CI=true` that is a failure unless the arguments contain `--or-skip`. Other
 * arguments are passed to vitest.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp } from './lib/build-app.ts';
import { canInstallPackages, installPackages } from './lib/install-packages.ts';
import { prepareElectron } from './lib/prepare-electron.ts';
import { runAttached } from './lib/run-attached.ts';
import { projectRoot, tools } from './lib/run-tool.ts';
import { prepareTestBinding } from './lib/test-binding.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const orSkip = '--or-skip';
const mayBeSkipped = process.argv.includes(orSkip) || process.env['CI'] !== 'true';
const vitestArgs = process.argv.slice(2).filter((argument) => argument !== orSkip);

process.exitCode = await main();

async function main(): Promise<number> {
  const obstacle = obstacleHere();
  if (obstacle !== null) return skip(obstacle);
  if (!existsSync('/usr/bin/mmdebstrap')) await installPackages(['mmdebstrap']);
  const electron = await prepareElectron(say);
  if (electron === null) return skip('there is no Electron on this machine');
  if ((await prepareTestBinding(electron, say)) === null) return skip('better-sqlite3 does not load in it');
  const built = await buildApp();
  if (built !== 0) return built;
  const config = ['--config', 'test/installed/vitest.config.ts'];
  return await runAttached(tools.vitest, ['run', ...config, ...vitestArgs], {
    ...process.env,
    ELECTRON_OVERRIDE_DIST_PATH: electron.folder,
  });
}

function obstacleHere(): string | null {
  if (process.platform !== 'linux' || !canInstallPackages()) return 'that needs root on a Debian';
  const mounts = 'mount -t proc proc /proc && mount -t tmpfs tmpfs /mnt';
  const apart = ['--mount', '--pid', '--fork', '--kill-child', '--ipc', '--propagation', 'private'];
  if (!succeeds('unshare', [...apart, 'sh', '-c', mounts])) return 'this process may not mount file systems';
  const asNobody = ['--reuid=65534', '--regid=65534', '--clear-groups', '--'];
  if (!succeeds('setpriv', [...asNobody, 'unshare', '--user', 'true']))
    return 'a plain user gets no user namespace, of which Chromium’s sandbox is made';
  return canDownload() ? null : 'Debian’s mirror cannot be reached';
}

function canDownload(): boolean {
  const release = 'http://deb.debian.org/debian/dists/bookworm/InRelease';
  const target = join(tmpdir(), `countersign-mirror-${process.pid}`);
  const isReached = succeeds('/usr/lib/apt/apt-helper', ['download-file', release, target]);
  rmSync(target, { force: true });
  return isReached;
}

function succeeds(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore', timeout: 60_000 }).status === 0;
}

function skip(because: string): number {
  const files = globSync('test/installed/**/*.test.ts', { cwd: projectRoot }).toSorted();
  say(`Skipped ${files.length} test files, because ${because}:`);
  for (const file of files) say(`  ${file}: skipped`);
  if (mayBeSkipped) return 0;
  say('CI=true: a run without them has failed.');
  return 1;
}
