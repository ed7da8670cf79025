import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { type AfterPackContext, Arch } from 'electron-builder';
import { describe, expect, onTestFinished, test } from 'vitest';
import configuration from '../../electron-builder.config.ts';
import { projectRoot } from '../../scripts/lib/run-tool.ts';
import { fuses, setFuses } from '../../scripts/package/fuses.ts';
import { needsAdHocSignature, refusalOfRelease, signing } from '../../scripts/package/signing.ts';
import { tempFolder } from '../servers/temp-folder.ts';

describe('the kinds of builds', () => {
  test('a test build uses no certificate, and is not hardened on macOS, where its signature could load nothing', () => {
    expect(configuration('test')).toMatchObject({
      forceCodeSigning: false,
      mac: { identity: null, hardenedRuntime: false, notarize: false },
      win: { signExecutable: false },
    });
    expect(configuration()).toMatchObject({ forceCodeSigning: false });
  });

  test('a release fails without a signature, and on macOS is a distribution that is hardened and notarised', () => {
    const config = configuration('release');
    expect(config).toMatchObject({
      forceCodeSigning: true,
      mac: { type: 'distribution', hardenedRuntime: true, notarize: true },
    });
    expect(config.mac).not.toHaveProperty('identity');
    expect(config.win).not.toHaveProperty('signExecutable');
    for (const file of [config.mac?.entitlements, config.mac?.entitlementsInherit]) {
      const text = readFileSync(join(projectRoot, file ?? ''), 'utf8');
      // Nothing else: no library of another signer, no variables for the loader.
      expect(text.match(/<key>.*<\/key>/gu)).toEqual(['<key>com.apple.security.cs.allow-jit</key>']);
    }
  });

  test('a certificate of the Windows store is chosen by its name', () => {
    const named = signing('release', { CSC_NAME: 'Example GmbH' });
    expect(named.win).toEqual({ signtoolOptions: { certificateSubjectName: 'Example GmbH' } });
    expect(signing('release', {}).win).toEqual({});
  });

  test.each(['test', 'release'] as const)('macOS does not slow a hidden app: %s build', (kind) => {
    expect(configuration(kind).mac?.extendInfo).toEqual({ NSAppSleepDisabled: true });
  });
});

const certificate = { CSC_LINK: 'file.p12', CSC_KEY_PASSWORD: 'secret' };
const apiKey = { APPLE_API_KEY: 'key.p8', APPLE_API_KEY_ID: 'id', APPLE_API_ISSUER: 'issuer' };
const appleId = { APPLE_ID: 'a@b.example', APPLE_APP_SPECIFIC_PASSWORD: 'secret', APPLE_TEAM_ID: 'T' };

test.each<[string, NodeJS.Platform, NodeJS.ProcessEnv, string[] | null]>([
  ['macOS without anything', 'darwin', {}, ['Developer ID', 'CSC_LINK', 'notary', 'APPLE_API_KEY']],
  ['macOS with a certificate alone', 'darwin', certificate, ['notary', 'APPLE_KEYCHAIN_PROFILE']],
  ['macOS with a notary alone', 'darwin', apiKey, ['Developer ID', 'CSC_NAME']],
  ['macOS with a file and no password', 'darwin', { ...apiKey, CSC_LINK: 'file.p12' }, ['CSC_KEY_PASSWORD']],
  ['macOS with empty variables', 'darwin', { CSC_NAME: '', APPLE_KEYCHAIN_PROFILE: '' }, ['Developer ID']],
  [
    'macOS with half an Apple ID',
    'darwin',
    { ...certificate, ...appleId, APPLE_TEAM_ID: '' },
    ['APPLE_TEAM_ID'],
  ],
  ['macOS with a file and an API key', 'darwin', { ...certificate, ...apiKey }, null],
  ['macOS with a file and an Apple ID', 'darwin', { ...certificate, ...appleId }, null],
  ['macOS with names in the keychain', 'darwin', { CSC_NAME: 'E', APPLE_KEYCHAIN_PROFILE: 'e' }, null],
  [
    'macOS in a pull request',
    'darwin',
    { ...certificate, ...apiKey, GITHUB_BASE_REF: 'main' },
    ['pull request', 'GITHUB_BASE_REF'],
  ],
  [
    'macOS where the pull request is "false"',
    'darwin',
    { ...certificate, ...apiKey, TRAVIS_PULL_REQUEST: 'false' },
    null,
  ],
  ['Windows without anything', 'win32', {}, ['code signing certificate', 'WIN_CSC_LINK', 'CSC_NAME']],
  ['Windows with a file', 'win32', { WIN_CSC_LINK: 'file.pfx', WIN_CSC_KEY_PASSWORD: 'secret' }, null],
  ['Windows with a name in the store', 'win32', { CSC_NAME: 'Example GmbH' }, null],
  ['Linux, which checks no programs', 'linux', {}, null],
])('whether a release can be made on %s', (_, platform, environment, words) => {
  const refusal = refusalOfRelease(platform, environment);
  if (words === null) expect(refusal).toBeNull();
  for (const word of words ?? []) expect(refusal).toContain(word);
  expect(refusal ?? '').not.toContain('secret');
});

/** The text before the fuses of every Electron. */
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';

/** An app for macOS: a framework with fuses in it, all of them off. */
function packedForMac(): string {
  const app = join(tempFolder(), 'Countersign.app');
  const framework = join(app, 'Contents/Frameworks/Electron Framework.framework/Electron Framework');
  mkdirSync(dirname(framework), { recursive: true });
  const count = Object.keys(fuses).length;
  const wire = [1, count, ...Array.from({ length: count }, () => FuseState.DISABLE)];
  writeFileSync(framework, Buffer.concat([Buffer.from(sentinel), Buffer.from(wire)]));
  return app;
}

/** Puts a `codesign` before every other on the path; returns the arguments that it was called with, null if it was not. */
function replaceCodesign(): () => string[] | null {
  const folder = tempFolder();
  const calls = join(folder, 'calls');
  writeFileSync(join(folder, 'codesign'), `#!/bin/sh\nprintf '%s\\n' "$@" > '${calls}'\n`);
  chmodSync(join(folder, 'codesign'), 0o755);
  const { PATH } = process.env;
  process.env['PATH'] = `${folder}${delimiter}${PATH}`;
  onTestFinished(() => void (process.env['PATH'] = PATH));
  return () => (existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : null);
}

test.each([
  ['a test build for Apple’s own processors', 'test', Arch.arm64, true],
  ['a test build for Intel, which needs no signature', 'test', Arch.x64, false],
  ['a release, which is signed with its certificate afterwards', 'release', Arch.arm64, false],
] as const)(
  'setting the fuses breaks a signature; a new one without a certificate: %s',
  async (_, kind, arch, isSigned) => {
    const codesign = replaceCodesign();
    const app = packedForMac();
    const { forceCodeSigning } = signing(kind);
    const context = { electronPlatformName: 'darwin', arch, packager: { config: { forceCodeSigning } } };
    const resetAdHocSignature = needsAdHocSignature(context as AfterPackContext);
    await setFuses(app, { resetAdHocSignature });
    expect(await getCurrentFuseWire(app)).toMatchObject({
      [FuseV1Options.OnlyLoadAppFromAsar]: FuseState.ENABLE,
    });
    const call = codesign();
    if (!isSigned) return expect(call).toBeNull();
    expect(call).toEqual(expect.arrayContaining(['--sign', '-', '--force', '--deep']));
    expect(call?.at(-1)).toBe(app);
  },
);
