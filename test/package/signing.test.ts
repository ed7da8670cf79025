import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import type { AfterPackContext } from 'electron-builder';
import { describe, expect, onTestFinished, test } from 'vitest';
import configuration from '../../electron-builder.config.ts';
import { projectRoot } from '../../scripts/lib/run-tool.ts';
import { keepHelpersAwake } from '../../scripts/package/after-pack.ts';
import { fuses, setFuses } from '../../scripts/package/fuses.ts';
import {
  type BuildKind,
  chooseBuild,
  needsAdHocSignature,
  signatureOf,
  signing,
} from '../../scripts/package/signing.ts';
import { tempFolder } from '../servers/temp-folder.ts';

describe('the kinds of builds', () => {
  test('a test build uses no certificate, and is not hardened on macOS, where it could not load its own libraries', () => {
    expect(configuration('test')).toMatchObject({
      forceCodeSigning: false,
      mac: { identity: null, hardenedRuntime: false, notarize: false },
      win: { signExecutable: false },
    });
    expect(configuration()).toMatchObject({ forceCodeSigning: false });
  });

  test('a release fails without a signature, and on macOS is a hardened and notarised distribution', () => {
    const config = configuration('release');
    expect(config).toMatchObject({
      forceCodeSigning: true,
      mac: { type: 'distribution', hardenedRuntime: true, notarize: true },
    });
    expect(config.mac).not.toHaveProperty('identity');
    expect(config.win).not.toHaveProperty('signExecutable');
    for (const file of [config.mac?.entitlements, config.mac?.entitlementsInherit]) {
      const text = readFileSync(join(projectRoot, file ?? ''), 'utf8');
      // No other entitlement: no libraries of other signers, and no environment variables for the loader.
      expect(text.match(/<key>.*<\/key>/gu)).toEqual(['<key>com.apple.security.cs.allow-jit</key>']);
    }
  });

  test('a release without notarisation differs from a release in nothing else', () => {
    const { mac, ...rest } = configuration('release');
    expect(configuration('unnotarised')).toEqual({ ...rest, mac: { ...mac, notarize: false } });
  });

  test('a certificate of the Windows certificate store is chosen by its name', () => {
    const named = signing('release', { CSC_NAME: 'Example GmbH' });
    expect(named.win).toEqual({ signtoolOptions: { certificateSubjectName: 'Example GmbH' } });
    expect(signing('release', {}).win).toEqual({});
  });

  test.each(['test', 'unnotarised', 'release'] as const)(
    'macOS does not slow down a hidden app: %s build',
    (kind) => {
      expect(configuration(kind).mac?.extendInfo).toEqual({ NSAppSleepDisabled: true });
    },
  );
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
  const { kind, said } = chooseBuild('release', platform, environment);
  expect({ kind, isSaid: said !== null }).toEqual({ kind: words ? null : 'release', isSaid: words !== null });
  for (const word of words ?? []) expect(said).toContain(word);
  expect(said ?? '').not.toContain('secret');
});

const both = { COUNTERSIGN_SIGNING_EXPECTED: 'macOS Windows' };

test.each<
  [string, NodeJS.Platform, NodeJS.ProcessEnv, ReturnType<typeof chooseBuild>['kind'], RegExp | null]
>([
  ['macOS without anything', 'darwin', {}, 'test', /certificate[^]*not signed/],
  [
    'macOS with a certificate alone',
    'darwin',
    certificate,
    'unnotarised',
    /notary[^]*signed, and not notarised/,
  ],
  ['macOS with a notary alone', 'darwin', apiKey, 'test', /certificate[^]*not signed/],
  ['macOS with both', 'darwin', { ...certificate, ...apiKey }, 'release', null],
  ['macOS in a pull request', 'darwin', { ...certificate, GITHUB_BASE_REF: 'main' }, 'test', /pull request/],
  ['Windows without anything', 'win32', {}, 'test', /not signed/],
  ['Linux', 'linux', both, 'release', null],
  ['macOS without anything, expected', 'darwin', both, null, /COUNTERSIGN_SIGNING_EXPECTED/],
  ['macOS without a notary, expected', 'darwin', { ...both, ...certificate }, null, /notary[^]*_EXPECTED/],
  ['macOS with both, expected', 'darwin', { ...both, ...certificate, ...apiKey }, 'release', null],
  ['Windows without anything, expected', 'win32', both, null, /COUNTERSIGN_SIGNING_EXPECTED/],
  ['Windows, expected on macOS', 'win32', { COUNTERSIGN_SIGNING_EXPECTED: 'macOS' }, 'test', /not signed/],
  ['Windows, expected nowhere', 'win32', { COUNTERSIGN_SIGNING_EXPECTED: '' }, 'test', /not signed/],
])(
  'without a forced signature, the right kind of build is made: %s',
  (_, platform, environment, kind, words) => {
    const choice = chooseBuild('release or unsigned', platform, environment);
    expect(choice.kind).toBe(kind);
    if (words === null) expect(choice.said).toBeNull();
    else expect(choice.said).toMatch(words);
    expect(chooseBuild('test', platform, environment)).toEqual({ kind: 'test', said: null });
  },
);

test('a misspelt name in the list of signed systems stops the build', () => {
  const misspelt = { COUNTERSIGN_SIGNING_EXPECTED: 'macos' };
  expect(() => chooseBuild('release or unsigned', 'darwin', misspelt)).toThrow(
    '“macos”. It takes: macOS Windows',
  );
});

/** The bytes that precede the fuses in every Electron binary. */
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';

/** Makes an app for macOS: a framework with all fuses off. */
function packedForMac(): string {
  const app = join(tempFolder(), 'Countersign.app');
  const framework = join(app, 'Contents/Frameworks/Electron Framework.framework/Electron Framework');
  mkdirSync(dirname(framework), { recursive: true });
  const count = Object.keys(fuses).length;
  const wire = [1, count, ...Array.from({ length: count }, () => FuseState.DISABLE)];
  writeFileSync(framework, Buffer.concat([Buffer.from(sentinel), Buffer.from(wire)]));
  return app;
}

/**
 * Puts a fake `codesign` first on the path. The returned function gives the arguments of its call; null if it was not called.
 */
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

const contextOf = (kind: BuildKind, electronPlatformName = 'darwin') =>
  ({ electronPlatformName, packager: { config: signing(kind) } }) as unknown as AfterPackContext;

test.each([
  ['a test build', 'test', true],
  ['a release, which is signed with its certificate afterwards', 'release', false],
  ['the same without the notary', 'unnotarised', false],
] as const)(
  'setting the fuses breaks the signature, and a new one without a certificate is made where needed: %s',
  async (_, kind, isSigned) => {
    const codesign = replaceCodesign();
    const app = packedForMac();
    await setFuses(app, { resetAdHocSignature: needsAdHocSignature(contextOf(kind)) });
    expect(await getCurrentFuseWire(app)).toMatchObject({
      [FuseV1Options.OnlyLoadAppFromAsar]: FuseState.ENABLE,
    });
    const call = codesign();
    if (!isSigned) return expect(call).toBeNull();
    expect(call).toEqual(expect.arrayContaining(['--sign', '-', '--force', '--deep']));
    expect(call?.at(-1)).toBe(app);
  },
);

test.each([
  ['darwin', 'test', 'none'],
  ['darwin', 'unnotarised', 'signed'],
  ['darwin', 'release', 'notarised'],
  ['win32', 'test', 'none'],
  ['win32', 'release', 'signed'],
  ['linux', 'release', 'none'],
] as const)('the record of a build states how it is signed: %s, %s', (platform, kind, signature) => {
  expect(signatureOf(contextOf(kind, platform))).toBe(signature);
});

describe('the helpers of an app for macOS', () => {
  /** Makes an app with these helpers, each with an Info.plist as electron-builder writes it. */
  function appWith(helpers: readonly string[], plist: string): { app: string; read(helper: string): string } {
    const app = join(tempFolder(), 'Countersign.app');
    const fileOf = (helper: string): string =>
      join(app, 'Contents/Frameworks', helper, 'Contents/Info.plist');
    mkdirSync(join(app, 'Contents/Frameworks/Electron Framework.framework'), { recursive: true });
    for (const helper of helpers) {
      mkdirSync(dirname(fileOf(helper)), { recursive: true });
      writeFileSync(fileOf(helper), plist);
    }
    return { app, read: (helper) => readFileSync(fileOf(helper), 'utf8') };
  }

  const plist = `<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0">
  <dict>
    <key>Nested</key>
    <dict>
    </dict>
  </dict>
</plist>`;
  const helpers = ['Countersign Helper.app', 'Countersign Helper (Renderer).app'];

  test('are not slowed down while the app is hidden, because one of them runs the core', () => {
    const { app, read } = appWith(helpers, plist);
    keepHelpersAwake(app);
    keepHelpersAwake(app);
    for (const helper of helpers) {
      expect(read(helper)).toMatch(
        /<\/dict>\s+<key>NSAppSleepDisabled<\/key>\s+<true\/>\s+<\/dict>\s+<\/plist>$/,
      );
      expect(read(helper).match(/NSAppSleepDisabled/g)).toHaveLength(1);
    }
  });

  test('stop the packaging if that cannot be set for them', () => {
    expect(() => keepHelpersAwake(appWith([], plist).app)).toThrow('No helper');
    expect(() => keepHelpersAwake(appWith(helpers, 'bplist00…').app)).toThrow('no property list');
  });
});
