import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { expect, test } from 'vitest';
import { writeBuildRecord, type BuildRecord } from '../../../scripts/package/build-record.ts';
import { assembleRelease, expectedFiles } from '../../../scripts/release/assemble.ts';
import { billOfMaterials } from '../../../scripts/release/bill-of-materials.ts';
import { releaseNews, releaseNotes } from '../../../scripts/release/notes.ts';
import { tempFolder } from '../../servers/temp-folder.ts';

const release = { version: '1.2.3', electron: '45.4.1' };

const records: BuildRecord[] = (['linux', 'mac', 'win'] as const).flatMap((platform) =>
  (['x64', 'arm64'] as const).map((arch) => ({
    platform,
    arch,
    ...release,
    signed: platform !== 'win',
    test: null,
  })),
);

/** A folder with every package of a release; those for Debian are real, but empty. */
function releaseFolder(changed: Partial<BuildRecord> = {}, debVersion = release.version): string {
  const folder = tempFolder();
  for (const name of expectedFiles(release.version)) {
    if (name.endsWith('.deb')) makeEmptyDeb(join(folder, name), debVersion);
    else writeFileSync(join(folder, name), name);
  }
  records.forEach((record, index) =>
    writeBuildRecord(folder, index === 0 ? { ...record, ...changed } : record),
  );
  return folder;
}

function makeEmptyDeb(file: string, version: string): void {
  const tree = tempFolder();
  mkdirSync(join(tree, 'DEBIAN'));
  const control = `Package: countersign\nVersion: ${version}\nArchitecture: all\nMaintainer: Nobody <nobody@example.invalid>\nDescription: Empty\n`;
  writeFileSync(join(tree, 'DEBIAN/control'), control);
  execFileSync('dpkg-deb', ['-Znone', '--build', tree, file], { stdio: 'ignore' });
}

test.runIf(process.platform === 'linux')(
  'a whole release gets checksums that sha256sum accepts, and its records are gone',
  () => {
    const folder = releaseFolder();
    expect(assembleRelease(folder, release)).toEqual({ packages: 15, unsigned: ['Windows'] });
    execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: folder });
    expect(readdirSync(folder).toSorted()).toEqual([...expectedFiles('1.2.3'), 'SHA256SUMS'].toSorted());
  },
);

test.runIf(process.platform === 'linux').each<[string, () => string, RegExp]>([
  [
    'packages around another Electron',
    () => releaseFolder({ electron: '33.4.11', test: 'Electron 33.4.11' }),
    /linux on x64 contain Electron 33\.4\.11, not 45\.4\.1\n.*were made for tests: Electron 33\.4\.11/,
  ],
  ['packages that are marked', () => releaseFolder({ test: 'tests' }), /were made for tests: tests/],
  ['packages of another version', () => releaseFolder({ version: '1.2.2' }), /are of version 1\.2\.2/],
  [
    'a test package under the name of a release',
    () => releaseFolder({}, '1.2.3~test'),
    /countersign_1\.2\.3_amd64\.deb is of version 1\.2\.3~test/,
  ],
  [
    'a test package among those of a release',
    () => {
      const folder = releaseFolder();
      writeFileSync(join(folder, 'countersign_1.2.3~test_amd64.deb'), '');
      return folder;
    },
    /countersign_1\.2\.3~test_amd64\.deb does not belong to 1\.2\.3/,
  ],
  [
    'nothing at all',
    () => tempFolder(),
    /nothing says what the packages for win on arm64 were made of[^]*Countersign-1\.2\.3-mac-x64\.dmg is missing/,
  ],
])('a release refuses %s, and writes no checksums', (_what, folderOf, words) => {
  const folder = folderOf();
  expect(() => assembleRelease(folder, release)).toThrow(words);
  expect(readdirSync(folder)).not.toContain('SHA256SUMS');
});

test('the notes of a release are its section of the changelog', () => {
  const changelog =
    '# Changelog\n\n## [Unreleased]\n\n- Later\n\n## [1.2.3] - 2026-12-01\n\n### Added\n\n- This\n\n## [1.2.2] - 2026-11-01\n\n- Earlier\n';
  expect(releaseNotes(changelog, '1.2.3')).toBe('### Added\n\n- This\n');
  expect(() => releaseNotes(changelog, '1.2.4')).toThrow('no section');
  expect(() => releaseNotes('## [1.2.3]\n\n- This\n', '1.2.3')).toThrow('no date');
  expect(() => releaseNotes('## [1.2.3] - 2026-12-01\n\n', '1.2.3')).toThrow('says nothing');
});

test.each([
  ['### In short\n\n- One\n- Two\n\n### Added\n\n- More\n', ['One', 'Two']],
  ['### In short\n\n- One\n', ['One']],
  ['### In short\n\n- One\n- Two\n- Three\n', null],
  ['### Added\n\n- One\n', null],
])('the news of an update are one or two entries of the changelog: %j', (entries, news) => {
  const changelog = `# Changelog\n\n## [1.2.3] - 2026-12-01\n\n${entries}\n## [1.2.2] - 2026-11-01\n\n### In short\n\n- Old\n`;
  if (news === null)
    expect(() => releaseNews(changelog, '1.2.3')).toThrow('one or two entries below “### In short”');
  else expect(releaseNews(changelog, '1.2.3')).toEqual(news);
});

test('the bill of materials is CycloneDX, lists each bundled package with its hash, and is the same for the same build', async () => {
  const sources = {
    version: '1.2.3',
    notices: JSON.stringify([
      { name: '@scope/one', version: '1.0.0', identifier: 'MIT', text: 'Text' },
      { name: 'two', version: '2.0.0', identifier: '(MIT OR Apache-2.0)', text: 'Text' },
    ]),
    lockfile: JSON.stringify({
      packages: {
        'node_modules/two': { version: '2.0.0', integrity: `sha512-${Buffer.alloc(64).toString('base64')}` },
      },
    }),
  };
  const bill = billOfMaterials(sources);
  expect(
    await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(JSON.stringify(bill)),
  ).toBeNull();
  expect(bill).toMatchObject({
    components: [
      { group: '@scope', name: 'one', purl: 'pkg:npm/%40scope/one@1.0.0' },
      { name: 'two', hashes: [{ alg: 'SHA-512', content: '0'.repeat(128) }] },
    ],
  });
  expect(billOfMaterials(sources)).toEqual(bill);
});

test('the workflow of a release runs scripts of this repository, and actions by the hash of a commit', () => {
  const text = readFileSync(new URL('../../../.github/workflows/release.yml', import.meta.url), 'utf8');
  for (const [, action] of text.matchAll(/uses: (\S+)/g)) expect(action).toMatch(/@[0-9a-f]{40}$/);
  const runs = [...text.matchAll(/- run: (.+)/g)].map(([, command = '']) => command);
  for (const command of runs)
    expect(command).toMatch(/^(?:npm (?:ci|run (?:package|release))\b|gh release create )/);
});
