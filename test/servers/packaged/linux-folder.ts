import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Arch, Platform } from 'electron-builder';
import configuration from '../../../electron-builder.config.ts';
import { findTestElectron } from '../../../scripts/lib/find-electron.ts';
import { projectRoot } from '../../../scripts/lib/run-tool.ts';
import { aroundRuntime, buildPackages } from '../../../scripts/package/build-packages.ts';

/** An unpacked app for Linux, before it is put into a package. */
export interface LinuxFolder {
  /** The folder with the program. */
  folder: string;
  /** The archive with the app. */
  archive: string;
  remove(): void;
}

/**
 * Packs the built app for this architecture around the runtime for tests. Needs no download, which tests refuse. The result
 * is marked as made for tests. Fails if there is no runtime.
 */
export async function makeLinuxFolder(): Promise<LinuxFolder> {
  const runtime = findTestElectron();
  if (runtime === null) throw new Error('No Electron was found. Run `npm test`, which says how to get one.');
  const root = mkdtempSync(join(tmpdir(), 'countersign-package-'));
  // Every user may start it.
  chmodSync(root, 0o755);
  const config = aroundRuntime(configuration(), runtime, join(root, 'runtime'));
  await buildPackages({
    projectDir: projectRoot,
    publish: 'never',
    targets: Platform.LINUX.createTarget('dir', process.arch === 'arm64' ? Arch.arm64 : Arch.x64),
    config: { ...config, directories: { ...config.directories, output: join(root, 'dist') } },
  });
  const folder = ['linux-unpacked', 'linux-arm64-unpacked']
    .map((name) => join(root, 'dist', name))
    .find((path) => existsSync(path));
  if (folder === undefined) throw new Error('electron-builder has made no folder');
  return {
    folder,
    archive: join(folder, 'resources/app.asar'),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
