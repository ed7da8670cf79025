import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildRecord, writeBuildRecord } from '../../../scripts/package/build-record.ts';
import { expectedFiles, type Release } from '../../../scripts/release/assemble.ts';
import { tempFolder } from '../../servers/temp-folder.ts';

/** Differences between the release and an acceptable release. */
interface ReleaseChanges {
  record?: Partial<BuildRecord>;
  debVersion?: string;
}

/**
 * Puts every package of a release into a folder, with the records of their builds: notarized for macOS, unsigned for Windows.
 * The Debian packages are real but empty.
 */
export function putRelease(folder: string, release: Release, changes: ReleaseChanges = {}): void {
  mkdirSync(folder, { recursive: true });
  for (const name of expectedFiles(release.version)) {
    if (name.endsWith('.deb')) makeEmptyDeb(join(folder, name), changes.debVersion ?? release.version);
    else writeFileSync(join(folder, name), name);
  }
  recordsOf(release).forEach((record, index) =>
    writeBuildRecord(folder, index === 0 ? { ...record, ...changes.record } : record),
  );
}

const recordsOf = (release: Release): BuildRecord[] =>
  (['linux', 'mac', 'win'] as const).flatMap((platform) =>
    (['x64', 'arm64'] as const).map((arch) => ({
      platform,
      arch,
      ...release,
      signature: platform === 'mac' ? 'notarised' : 'none',
      test: null,
    })),
  );

function makeEmptyDeb(file: string, version: string): void {
  const tree = tempFolder();
  mkdirSync(join(tree, 'DEBIAN'));
  const control = `Package: countersign\nVersion: ${version}\nArchitecture: all\nMaintainer: Nobody <nobody@example.invalid>\nDescription: Empty\n`;
  writeFileSync(join(tree, 'DEBIAN/control'), control);
  execFileSync('dpkg-deb', ['-Znone', '--build', tree, file], { stdio: 'ignore' });
}
