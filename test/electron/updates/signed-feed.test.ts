import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compareVersions, fileFor, readSignedFeed } from '#electron/updates/signed-feed.ts';
import { updateSourceOf, whyOff } from '#electron/updates/update-source.ts';
import { publicKeyOf } from '#system/ed25519.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import {
  feedBytes,
  readSigningKey,
  signatureText,
  signFeed,
  updateFiles,
} from '../../../scripts/lib/update-feed.ts';

const { privateKey } = generateKeyPairSync('ed25519');
const { text: publicKey } = publicKeyOf(privateKey);
const nextKey = publicKeyOf(generateKeyPairSync('ed25519').privateKey).text;
const released = new Date('2026-11-01T10:00:00Z');

const file = { system: 'linux', arch: 'x64', name: 'a.AppImage', bytes: 3, sha512: `${'A'.repeat(86)}==` };
const content = {
  version: '1.2.0',
  publisher: 'Us',
  released,
  validDays: 30,
  news: ['One line'],
  files: [file],
};
const context = {
  keys: [nextKey, publicKey],
  publisher: 'Us',
  installed: '1.1.9',
  newest: null,
  nowMs: released.getTime(),
};

test('the script signs a feed that the app accepts, with the package of each system', () => {
  const folder = tempFolder();
  const names = [
    'Countersign-1.2.0-linux-x86_64.AppImage',
    'Countersign-1.2.0-mac-arm64.zip',
    'Countersign-1.2.0-win-x64.exe',
    // No installation is updated with these files.
    'Countersign-1.2.0-win-x64.zip',
    'Countersign-1.2.0-linux-amd64.deb',
    'Countersign-1.2.0-mac-arm64.dmg',
    'Countersign-1.1.0-win-x64.exe',
  ];
  for (const name of names) writeFileSync(join(folder, name), name);
  const { bytes, signature } = signFeed({ ...content, files: updateFiles(folder, '1.2.0') }, privateKey);
  const feed = readSignedFeed(bytes, signature, context);
  expect(feed.files.map(({ system, arch, name }) => [system, arch, name])).toEqual([
    ['linux', 'x64', names[0]],
    ['darwin', 'arm64', names[1]],
    ['win32', 'x64', names[2]],
  ]);
  expect(fileFor(feed, 'darwin', 'arm64')?.bytes).toBe(names[1]?.length);
  expect(fileFor(feed, 'darwin', 'x64')).toBeNull();
});

test('the script refuses a key that the app does not know and a feed that the app would refuse', () => {
  expect(() => signFeed(content, privateKey, [nextKey])).toThrow(
    expect.objectContaining({ code: 'update_signature_wrong' }),
  );
  expect(() => signFeed({ ...content, news: ['one', 'two', 'three'] }, privateKey)).toThrow();
  mkdirSync(join(tempFolder(), 'empty'));
  expect(() => updateFiles(tempFolder(), '1.2.0')).toThrow(/no package of version 1\.2\.0/);
});

test('the key is read from the environment or a file and has to be an Ed25519 key', () => {
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  const path = join(tempFolder(), 'key.pem');
  writeFileSync(path, pem);
  expect(publicKeyOf(readSigningKey({ pem, file: undefined })).text).toBe(publicKey);
  expect(publicKeyOf(readSigningKey({ pem: undefined, file: path })).text).toBe(publicKey);
  // A workflow without the secret sets the variable to an empty text.
  expect(publicKeyOf(readSigningKey({ pem: '', file: path })).text).toBe(publicKey);
  for (const none of [undefined, ''])
    expect(() => readSigningKey({ pem: none, file: undefined })).toThrow(/No key/);
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const wrong = createPrivateKey(other.export({ type: 'pkcs8', format: 'pem' }));
  expect(() =>
    readSigningKey({ pem: wrong.export({ type: 'pkcs8', format: 'pem' }) as string, file: undefined }),
  ).toThrow(/not an Ed25519 key/);
});

test.each([
  ['an unknown member', { extra: 1 }],
  ['another format', { format: 'countersign-updates-2' }],
  ['a version with a label', { version: '1.2.0-beta' }],
  ['no news', { news: [] }],
  ['a file in another folder', { files: [{ ...file, name: 'a/b.AppImage' }] }],
  ['a file at an address', { files: [{ ...file, name: 'https:b' }] }],
  ['a hash of another length', { files: [{ ...file, sha512: 'AAAA' }] }],
  ['a validity of years', { expires: '2028-11-01T10:00:00.000Z' }],
  ['an end before its start', { expires: '2026-10-01T10:00:00.000Z' }],
])('a signed feed with %s is refused', (_, change) => {
  const feed: unknown = JSON.parse(feedBytes(content).toString('utf8'));
  const bytes = Buffer.from(JSON.stringify({ ...(feed as object), ...change }));
  expect(() => readSignedFeed(bytes, signatureText(bytes, privateKey), context)).toThrow(
    expect.objectContaining({ code: 'update_feed_invalid' }),
  );
});

test.each([
  ['no JSON', 'version: 1.2.0'],
  ['a key that is listed twice', '{"format":"countersign-updates-1","format":"countersign-updates-1"}'],
  ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
])('a signed feed with %s is refused', (_, content_) => {
  const bytes = Buffer.from(content_ as string);
  expect(() => readSignedFeed(bytes, signatureText(bytes, privateKey), context)).toThrow(
    expect.objectContaining({ code: 'update_feed_invalid' }),
  );
});

test.each([
  ['1.2.3', '1.2.3', 0],
  ['1.2.10', '1.2.9', 1],
  ['2.0.0', '1.99.99', 1],
  ['1.2.3', '1.2.3-test.1', 1],
  ['1.2.2', '1.2.3-test.1', -1],
])('version %s is compared with %s', (one, other, order) => {
  expect(Math.sign(compareVersions(one, other))).toBe(order);
  expect(Math.sign(compareVersions(other, one))).toBe(order === 0 ? 0 : -order);
});

const built = {
  COUNTERSIGN_UPDATE_FEED: 'https://updates.example.com/countersign/',
  COUNTERSIGN_UPDATE_KEYS: `${publicKey}, ${nextKey}`,
  COUNTERSIGN_PUBLISHER: 'Us',
};

test('a build reads the update source from its environment and fails if it is invalid', () => {
  expect(updateSourceOf({})).toBeNull();
  expect(updateSourceOf(built)).toEqual({
    feed: built.COUNTERSIGN_UPDATE_FEED,
    keys: [publicKey, nextKey],
    publisher: 'Us',
  });
  const wrong = {
    COUNTERSIGN_UPDATE_FEED: ['http://updates.example.com/', 'https://updates.example.com/feed', 'updates'],
    COUNTERSIGN_UPDATE_KEYS: ['', publicKey, `${publicKey},${publicKey}`, `${publicKey},abc`],
    COUNTERSIGN_PUBLISHER: [''],
  };
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      expect(() => updateSourceOf({ ...built, [name]: value }), value).toThrow(new RegExp(`Wrong: ${name}$`));
    }
  }
});

test.each([
  ['a development build', { isPackaged: false }, 'development'],
  ['a build without a feed', { source: null }, 'administrator'],
  ['an AppImage', {}, null],
  ['a package of Linux', { appImage: undefined }, 'package-manager'],
  ['a Linux package without a feed', { appImage: undefined, source: null }, 'package-manager'],
  ['an installation on Windows', { platform: 'win32' as const, exists: () => true }, null],
  ['an unpacked zip on Windows', { platform: 'win32' as const, exists: () => false }, 'administrator'],
  ['an app on macOS', { platform: 'darwin' as const, appImage: undefined }, null],
])('%s updates itself or names what does', (_, change, off) => {
  const { source, ...installation } = {
    source: updateSourceOf(built),
    isPackaged: true,
    platform: 'linux' as const,
    appImage: '/apps/Countersign.AppImage',
    folder: '/app',
    ...change,
  };
  expect(whyOff(source, installation)).toBe(off);
});
