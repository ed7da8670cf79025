/**
 * `npm run package`: builds, then makes the packages for this system, into `dist`. `npm run package -- --dir` only makes the
 * unpacked folder; on Linux `-- deb rpm` makes only these packages. `--release` signs them, and fails at the start if it cannot;
 * `--release-or-unsigned` reports that and continues, except on systems that `COUNTERSIGN_SIGNING_EXPECTED` names.
 * electron-builder downloads Electron and its own tools. With `ELECTRON_OVERRIDE_DIST_PATH` it packs that runtime instead: such
 * packages are marked as made for tests, and a release refuses them.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import configuration from '../electron-builder.config.ts';
import { buildApp } from './lib/build-app.ts';
import { electronIn } from './lib/find-electron.ts';
import { canInstallPackages, installPackages } from './lib/install-packages.ts';
import { projectRoot } from './lib/run-tool.ts';
import { aroundRuntime, buildPackages } from './package/build-packages.ts';
import { makeDeb } from './package/linux/make-deb.ts';
import { makeRpm } from './package/linux/make-rpm.ts';
import type { PackedApp } from './package/linux/packed-app.ts';
import { type BuildKind, chooseBuild } from './package/signing.ts';

const { values, positionals } = parseArgs({
  options: {
    dir: { type: 'boolean', default: false },
    release: { type: 'boolean', default: false },
    'release-or-unsigned': { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

const linuxPackages = { deb: makeDeb, rpm: makeRpm };
const isLinuxPackage = (name: string): name is keyof typeof linuxPackages =>
  Object.hasOwn(linuxPackages, name);

const dist = join(projectRoot, 'dist');

process.exitCode = await main();

async function main(): Promise<number> {
  const orUnsigned = values['release-or-unsigned'] ? 'release or unsigned' : 'test';
  const { kind, said } = chooseBuild(values.release ? 'release' : orUnsigned, process.platform);
  if (said !== null) process.stderr.write(`${said}\n`);
  if (kind === null) return 1;
  const built = await buildApp();
  return built === 0 ? await pack(kind) : built;
}

async function pack(kind: BuildKind): Promise<number> {
  const unknown = positionals.find((name) => process.platform !== 'linux' || !isLinuxPackage(name));
  if (unknown !== undefined) {
    process.stderr.write(`${unknown} is not made alone on this system.\n`);
    return 2;
  }
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist);
  const named = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  const runtime = named === undefined ? null : electronIn(named);
  const config = configuration(kind);
  await buildPackages({
    projectDir: projectRoot,
    config: runtime === null ? config : aroundRuntime(config, runtime, join(dist, 'runtime')),
    publish: 'never',
    dir: values.dir || positionals.length > 0,
  });
  if (process.platform === 'linux' && !values.dir) await makeLinuxPackages();
  return 0;
}

async function makeLinuxPackages(): Promise<void> {
  // Packages that every Debian can install. On other systems the failure names the missing program.
  if (!existsSync('/usr/bin/rpmbuild') && canInstallPackages()) await installPackages(['rpm']);
  const wanted = positionals.length > 0 ? positionals.filter(isLinuxPackage) : (['deb', 'rpm'] as const);
  const folders = { x64: 'linux-unpacked', arm64: 'linux-arm64-unpacked' } as const;
  for (const [arch, name] of Object.entries(folders) as [PackedApp['arch'], string][]) {
    const folder = join(dist, name);
    if (!existsSync(folder)) continue;
    for (const format of wanted) {
      const made = linuxPackages[format]({ folder, arch, epochSeconds: lastCommitSeconds() }, dist);
      process.stdout.write(`  • made ${made}\n`);
    }
  }
}

/** Time of the commit, so that a commit always gives byte-identical packages. */
function lastCommitSeconds(): number {
  // In a container the checkout may belong to another user.
  const args = ['-c', 'safe.directory=*', 'log', '-1', '--format=%ct'];
  return Number(execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' }));
}
