import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Configuration } from 'electron-builder';
import configuration from '../../electron-builder.config.ts';
import { buildApp } from '../../scripts/lib/build-app.ts';
import { projectRoot } from '../../scripts/lib/run-tool.ts';
import { buildPackages } from '../../scripts/package/build-packages.ts';
import { testMark } from '../../scripts/package/test-mark.ts';
import { buildDrivenEntry, drivenEntry, makePackagedApp } from '../servers/packaged/packaged-app.ts';
import { packagesFolder } from './write.ts';

/**
 * Builds the app and makes the packages for this system in `packagesFolder`: the unpacked folder, on Windows its installer,
 * and a twin of the folder with an entry for a driver, which is marked as made for tests. Resolves with an exit code.
 */
export async function makePackages(): Promise<number> {
  const built = await buildApp();
  if (built !== 0) return built;
  rmSync(packagesFolder, { recursive: true, force: true });
  if (process.platform === 'linux') await makeAroundTestRuntime();
  else await makeForThisSystem();
  process.stdout.write(`Made ${readdirSync(packagesFolder).join(' and ')} in ${packagesFolder}\n`);
  return 0;
}

/** Packs around the runtime that the tests use, in which the core may need another binding. */
async function makeAroundTestRuntime(): Promise<void> {
  const { shipped, driven, remove } = await makePackagedApp();
  try {
    move(shipped, 'shipped');
    move(driven, 'driven');
  } finally {
    remove();
  }
}

/**
 * electron-builder downloads the released Electron. The program contains the hash of its archive, so the twin is packed
 * separately.
 */
async function makeForThisSystem(): Promise<void> {
  const config = configuration();
  await pack('shipped', config);
  await buildDrivenEntry(join(projectRoot, 'out/main'));
  const system = process.platform === 'win32' ? 'win' : 'mac';
  const { files } = config[system] ?? {};
  await pack('driven', {
    ...config,
    extraMetadata: { main: drivenEntry, [testMark]: 'tests' },
    [system]: { ...config[system], files: [files ?? [], drivenEntry].flat() },
  });
  rmSync(join(projectRoot, drivenEntry));
}

async function pack(name: 'shipped' | 'driven', config: Configuration): Promise<void> {
  const output = mkdtempSync(join(tmpdir(), 'countersign-pack-'));
  try {
    const directories = { ...config.directories, output };
    const what = name === 'shipped' && process.platform === 'win32' ? { win: ['nsis'] } : { dir: true };
    await buildPackages({
      projectDir: projectRoot,
      publish: 'never',
      ...what,
      config: { ...config, directories },
    });
    const made = readdirSync(output);
    const folder = made.find((entry) => /^mac|-unpacked$/.test(entry));
    if (folder === undefined) throw new Error('electron-builder has made no folder');
    move(join(output, folder), name);
    const installer = made.find((entry) => /-win-.*\.exe$/.test(entry));
    if (installer !== undefined) move(join(output, installer), 'installer.exe');
  } finally {
    rmSync(output, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** macOS bundles contain links, which must be kept. */
function move(from: string, name: 'shipped' | 'driven' | 'installer.exe'): void {
  cpSync(from, join(packagesFolder, name), { recursive: true, verbatimSymlinks: true });
}
