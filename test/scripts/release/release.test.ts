import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { expect, test } from 'vitest';
import { type BuildRecord, writeBuildRecord } from '../../../scripts/package/build-record.ts';
import { assembleRelease, expectedFiles } from '../../../scripts/release/assemble.ts';
import { billOfMaterials } from '../../../scripts/release/bill-of-materials.ts';
import { releaseNews, releaseNotes, signatureNotes } from '../../../scripts/release/notes.ts';
import { tempFolder } from '../../servers/temp-folder.ts';
import { has } from '../../servers/abilities.ts';
import { putRelease } from './small-release.ts';

const release = { version: '1.2.3', electron: '45.4.1' };

/** Makes a folder with every package of a release. The Debian packages are real but empty. */
function releaseFolder(record: Partial<BuildRecord> = {}, debVersion = release.version): string {
  const folder = tempFolder();
  putRelease(folder, release, { record, debVersion });
  return folder;
}

test.runIf(has.linux)(
  'a complete release gets checksums that sha256sum accepts, and its build records are deleted',
  () => {
    const folder = releaseFolder();
    expect(assembleRelease(folder, release)).toEqual({
      packages: 15,
      unsigned: ['Windows'],
      isUnnotarised: false,
    });
    execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: folder });
    expect(readdirSync(folder).toSorted()).toEqual([...expectedFiles('1.2.3'), 'SHA256SUMS'].toSorted());
  },
);

test.runIf(has.linux)(
  'a release with packages for macOS that were not notarised is made, and states that',
  () => {
    const folder = releaseFolder();
    writeBuildRecord(folder, { ...release, platform: 'mac', arch: 'x64', signature: 'signed', test: null });
    expect(assembleRelease(folder, release)).toMatchObject({ unsigned: ['Windows'], isUnnotarised: true });
  },
);

test.runIf(has.linux).each<[string, () => string, RegExp]>([
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

test('packages for macOS that Apple has not checked are part of a release and marked as such', () => {
  const isUnnotarised = true;
  expect(signatureNotes({ packages: 15, unsigned: ['Windows'], isUnnotarised })).toEqual([
    'The packages for Windows are not signed.',
    'The packages for macOS are signed but not notarised by Apple: macOS asks before their first start.',
  ]);
  expect(signatureNotes({ packages: 15, unsigned: [], isUnnotarised: false })).toEqual([]);
});

test('release notes are the version’s section of the changelog', () => {
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
])('an update announces one or two entries of the changelog: %j', (entries, news) => {
  const changelog = `# Changelog\n\n## [1.2.3] - 2026-12-01\n\n${entries}\n## [1.2.2] - 2026-11-01\n\n### In short\n\n- Old\n`;
  if (news === null)
    expect(() => releaseNews(changelog, '1.2.3')).toThrow('one or two entries below “### In short”');
  else expect(releaseNews(changelog, '1.2.3')).toEqual(news);
});

test('the bill of materials is in CycloneDX format, lists each bundled package with its hash, and is identical for identical builds', async () => {
  const integrity = `sha512-${Buffer.alloc(64).toString('base64')}`;
  const sources = {
    version: '1.2.3',
    notices: JSON.stringify([
      { name: '@scope/one', version: '1.0.0', identifier: 'MIT', text: 'Text' },
      { name: 'two', version: '2.0.0', identifier: '(MIT OR Apache-2.0)', text: 'Text' },
      { name: 'electron', version: '45.4.1', identifier: 'MIT', text: 'Text' },
    ]),
    lockfile: JSON.stringify({
      packages: {
        'node_modules/two': { version: '2.0.0', integrity },
        // The npm package that downloads the runtime is not part of a release.
        'node_modules/electron': { version: '45.4.1', integrity },
      },
    }),
    electronChecksums: readFileSync(
      new URL('../../../node_modules/electron/checksums.json', import.meta.url),
      'utf8',
    ),
  };
  const bill = billOfMaterials(sources);
  expect(
    await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(JSON.stringify(bill)),
  ).toBeNull();
  expect(bill).toMatchObject({
    components: [
      { group: '@scope', name: 'one', purl: 'pkg:npm/%40scope/one@1.0.0' },
      { name: 'two', hashes: [{ alg: 'SHA-512', content: '0'.repeat(128) }] },
      { name: 'electron' },
    ],
  });
  expect(billOfMaterials(sources)).toEqual(bill);

  const { components } = bill as {
    components: { hashes?: object; externalReferences?: { url: string; hashes: object[] }[] }[];
  };
  expect(components[2]).not.toHaveProperty('hashes');
  const archives = components[2]?.externalReferences ?? [];
  expect(archives).toHaveLength(6);
  expect(archives[1]).toEqual({
    type: 'distribution',
    url: expect.stringMatching(/\/electron-v45\.4\.1-linux-arm64\.zip$/),
    hashes: [{ alg: 'SHA-256', content: expect.stringMatching(/^[0-9a-f]{64}$/) }],
  });
  expect(() => billOfMaterials({ ...sources, electronChecksums: '{}' })).toThrow(
    'no checksum of electron-v45.4.1-linux-x64.zip',
  );
});
