import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { description, packageName, summary } from './metadata.ts';
import { neededGlibc, packageVersion, type PackedApp } from './packed-app.ts';
import { layOutTree } from './tree.ts';

/**
 * Packages with the libraries that Electron loads. Every Debian and Ubuntu since 2021 has these names: packages with 64-bit times
 * provide the former names too. The test of the installed package finds missing libraries.
 */
const depends = `
  libasound2 libatk-bridge2.0-0 libatk1.0-0 libatspi2.0-0 libcairo2 libcups2 libdbus-1-3 libdrm2 libexpat1
  libgbm1 libgcc-s1 libglib2.0-0 libgtk-3-0 libnotify4 libnspr4 libnss3 libpango-1.0-0 libsecret-1-0
  libudev1 libx11-6 libxcb1 libxcomposite1 libxdamage1 libxext6 libxfixes3 libxkbcommon0 libxrandr2
  libstdc++6 xdg-utils`
  .trim()
  .split(/\s+/);

const recommends = ['ca-certificates', 'gnome-keyring | kwalletmanager'];

const architectures = { x64: 'amd64', arm64: 'arm64' };

/**
 * Makes the Debian package in `into` and returns its path. Needs dpkg-deb and no network. The package has no maintainer scripts:
 * it only installs files, and dpkg's triggers inform the desktop.
 */
export function makeDeb(app: PackedApp, into: string): string {
  const work = mkdtempSync(join(tmpdir(), 'countersign-deb-'));
  try {
    const tree = join(work, 'tree');
    layOutTree(tree, app);
    const files = filesBelow(tree);
    const installedKiB = files.reduce(
      (sum, file) => sum + Math.ceil(lstatSync(join(tree, file)).size / 1024),
      0,
    );
    mkdirSync(join(tree, 'DEBIAN'), { mode: 0o755 });
    writeFileSync(join(tree, 'DEBIAN/control'), control(app, installedKiB));
    writeFileSync(join(tree, 'DEBIAN/md5sums'), files.map((file) => checksumLine(tree, file)).join(''));
    const made = join(into, `${packageName}_${packageVersion(app)}_${architectures[app.arch]}.deb`);
    mkdirSync(into, { recursive: true });
    // All files belong to root, whoever makes the package. Every dpkg since 2011 reads xz.
    execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '--build', tree, made], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, SOURCE_DATE_EPOCH: String(app.epochSeconds) },
    });
    return made;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function control(app: PackedApp, installedKiB: number): string {
  const libc = `libc6 (>= ${neededGlibc(app.folder)})`;
  return [
    `Package: ${packageName}`,
    `Version: ${packageVersion(app)}`,
    `Architecture: ${architectures[app.arch]}`,
    'Maintainer: Countersign <maintainers@countersign.invalid>',
    `Installed-Size: ${installedKiB}`,
    `Depends: ${[...depends, libc].join(', ')}`,
    `Recommends: ${recommends.join(', ')}`,
    'Section: misc',
    'Priority: optional',
    `Description: ${summary}`,
    ...description.flatMap((text, index) => [...(index === 0 ? [] : [' .']), ...wrapped(text)]),
    '',
  ].join('\n');
}

function wrapped(text: string): string[] {
  return (text.match(/\S.{0,76}(?=\s|$)/g) ?? []).map((line) => ` ${line}`);
}

function filesBelow(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => !lstatSync(join(root, path)).isDirectory())
    .toSorted();
}

function checksumLine(root: string, file: string): string {
  if (lstatSync(join(root, file)).isSymbolicLink()) return '';
  return `${createHash('md5')
    .update(readFileSync(join(root, file)))
    .digest('hex')}  ${file}\n`;
}
