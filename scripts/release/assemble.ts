import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readBuildRecord, recordName, type BuildRecord } from '../package/build-record.ts';

export interface Release {
  version: string;
  electron: string;
}

export interface Assembled {
  packages: number;
  unsigned: string[];
  isUnnotarised: boolean;
}

const arches = ['x64', 'arm64'] as const;

export function expectedFiles(version: string): string[] {
  const named = (system: string, ext: string): string[] =>
    arches.map((arch) => `Countersign-${version}-${system}-${arch}.${ext}`);
  const linux = [
    `Countersign-${version}-linux-x86_64.AppImage`,
    `Countersign-${version}-linux-arm64.AppImage`,
    ...['amd64', 'arm64'].map((arch) => `countersign_${version}_${arch}.deb`),
    ...['x86_64', 'aarch64'].map((arch) => `countersign-${version}-1.${arch}.rpm`),
  ];
  const win = ['exe', 'zip'].flatMap((ext) => named('win', ext));
  const mac = ['dmg', 'zip'].flatMap((ext) => named('mac', ext));
  return [...linux, ...win, ...mac, `countersign-${version}.cdx.json`].toSorted();
}

/**
 * Checks a folder with the packages of all systems and writes `SHA256SUMS` into it. Fails with all reasons if a package is
 * missing, does not belong to the release, or was made for tests. Removes the build records.
 */
export function assembleRelease(folder: string, release: Release): Assembled {
  const found = readdirSync(folder).filter((name) => name !== 'SHA256SUMS');
  const records = found.filter((name) => recordName.test(name));
  const files = found.filter((name) => !recordName.test(name)).toSorted();
  const examined = records.map((name) => readBuildRecord(join(folder, name)));
  const problems = [
    ...recordProblems(examined, release),
    ...fileProblems(files, release.version),
    ...expectedFiles(release.version)
      .filter((name) => name.endsWith('.deb') && files.includes(name))
      .flatMap((name) => debProblems(folder, name, release.version)),
  ];
  if (problems.length > 0)
    throw new Error(['This is no release:', ...problems.map((text) => `  ${text}`)].join('\n'));
  const sums = files.map((name) => `${sha256(join(folder, name))}  ${name}\n`);
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
  for (const name of records) rmSync(join(folder, name));
  return {
    packages: files.length,
    unsigned: unsignedSystems(examined),
    isUnnotarised: examined.some(({ platform, signature }) => platform === 'mac' && signature === 'signed'),
  };
}

function unsignedSystems(records: readonly BuildRecord[]): string[] {
  const names = { linux: null, mac: 'macOS', win: 'Windows' };
  const unsigned = records.flatMap(({ platform, signature }) =>
    signature === 'none' ? (names[platform] ?? []) : [],
  );
  return [...new Set(unsigned)].toSorted();
}

function recordProblems(records: readonly BuildRecord[], { version, electron }: Release): string[] {
  const missing = (['linux', 'mac', 'win'] as const).flatMap((platform) =>
    arches
      .filter((arch) => !records.some((record) => record.platform === platform && record.arch === arch))
      .map((arch) => `nothing says what the packages for ${platform} on ${arch} were made of`),
  );
  const wrong = records.flatMap((record) => {
    const of = `the packages for ${record.platform} on ${record.arch}`;
    return [
      ...(record.electron === electron ? [] : [`${of} contain Electron ${record.electron}, not ${electron}`]),
      ...(record.version === version ? [] : [`${of} are of version ${record.version}, not ${version}`]),
      ...(record.test === null ? [] : [`${of} were made for tests: ${record.test}`]),
    ];
  });
  return [...missing, ...wrong];
}

function fileProblems(files: readonly string[], version: string): string[] {
  const expected = expectedFiles(version);
  return [
    ...expected.filter((name) => !files.includes(name)).map((name) => `${name} is missing`),
    ...files
      .filter((name) => !expected.includes(name))
      .map((name) => `${name} does not belong to ${version}`),
  ];
}

/** Reads the version inside the package, because the file may have been renamed. */
function debProblems(folder: string, name: string, version: string): string[] {
  const stated = execFileSync('dpkg-deb', ['--field', join(folder, name), 'Version'], {
    encoding: 'utf8',
  }).trim();
  return stated === version ? [] : [`${name} is of version ${stated}`];
}

const sha256 = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');
