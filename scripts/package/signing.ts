import type { AfterPackContext, Configuration } from 'electron-builder';
import type { Signature } from './build-record.ts';

/**
 * `test`: for the computer on which it was built; without a certificate, and on macOS with the ad-hoc signature that Apple
 * processors require. `release`: for other computers; signed and hardened, and on macOS notarised. `unnotarised`: a release for
 * macOS without Apple's notarisation, so macOS asks at its first start.
 */
export type BuildKind = 'test' | 'unnotarised' | 'release';

type Signing = Required<Pick<Configuration, 'forceCodeSigning' | 'mac' | 'win'>>;

export function signing(kind: BuildKind, environment: NodeJS.ProcessEnv = process.env): Signing {
  if (kind === 'test') {
    return {
      forceCodeSigning: false,
      // With the hardened runtime, an app with an ad-hoc signature cannot load libraries, not even Electron's own.
      mac: { identity: null, hardenedRuntime: false, notarize: false },
      win: { signExecutable: false },
    };
  }
  const { CSC_NAME: certificateSubjectName } = environment;
  return {
    forceCodeSigning: true,
    mac: {
      // Explicit, because electron-builder would fall back to a development certificate, which other computers refuse.
      type: 'distribution',
      hardenedRuntime: true,
      entitlements: 'resources/entitlements.mac.plist',
      entitlementsInherit: 'resources/entitlements.mac.plist',
      notarize: kind === 'release',
    },
    win: certificateSubjectName ? { signtoolOptions: { certificateSubjectName } } : {},
  };
}

/**
 * True if an app for macOS must be signed again without a certificate after its fuses are set: that breaks Electron's signature,
 * and Apple processors run no unsigned program. A release gets its own signature later.
 */
export function needsAdHocSignature({ electronPlatformName, packager }: AfterPackContext): boolean {
  return electronPlatformName === 'darwin' && packager.config.forceCodeSigning !== true;
}

export function signatureOf({ electronPlatformName, packager }: AfterPackContext): Signature {
  const { forceCodeSigning, mac } = packager.config;
  if (electronPlatformName === 'linux' || forceCodeSigning !== true) return 'none';
  return electronPlatformName === 'darwin' && mac?.notarize === true ? 'notarised' : 'signed';
}

const credentials = {
  darwin: [
    { purpose: 'a Developer ID certificate', sets: [['CSC_LINK', 'CSC_KEY_PASSWORD'], ['CSC_NAME']] },
    {
      purpose: 'Apple’s notary',
      isNotary: true,
      sets: [
        ['APPLE_API_KEY', 'APPLE_API_KEY_ID', 'APPLE_API_ISSUER'],
        ['APPLE_ID', 'APPLE_APP_SPECIFIC_PASSWORD', 'APPLE_TEAM_ID'],
        ['APPLE_KEYCHAIN_PROFILE'],
      ],
    },
  ],
  win32: [
    {
      purpose: 'a code signing certificate',
      sets: [['WIN_CSC_LINK', 'WIN_CSC_KEY_PASSWORD'], ['CSC_LINK', 'CSC_KEY_PASSWORD'], ['CSC_NAME']],
    },
  ],
} as const;

/** In a pull request, electron-builder would skip signing on macOS without failing. */
const pullRequest = [
  'GITHUB_BASE_REF',
  'CIRCLE_PULL_REQUEST',
  'TRAVIS_PULL_REQUEST',
  'BITRISE_PULL_REQUEST',
  'APPVEYOR_PULL_REQUEST_NUMBER',
];

interface Lack {
  isNotaryAlone: boolean;
  words: string;
}

function lackOfRelease(platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): Lack | null {
  if (platform !== 'darwin' && platform !== 'win32') return null;
  const isSet = (name: string): boolean => !['', 'false'].includes(environment[name] ?? '');
  const inPullRequest = pullRequest.find(isSet);
  if (inPullRequest !== undefined)
    return {
      isNotaryAlone: false,
      words: `No release is made for a pull request (${inPullRequest} is set): it would not be signed.`,
    };
  const missing = credentials[platform].filter(({ sets }) => !sets.some((names) => names.every(isSet)));
  if (missing.length === 0) return null;
  const lines = missing.map(
    ({ purpose, sets }) => `  ${purpose}: ${sets.map((names) => names.join(' and ')).join(', or ')}`,
  );
  return {
    isNotaryAlone: missing.every((one) => 'isNotary' in one),
    words: ['A release is signed, and these variables are missing:', ...lines].join('\n'),
  };
}

const expectedVariable = 'COUNTERSIGN_SIGNING_EXPECTED';

const systemNames: Partial<Record<string, NodeJS.Platform>> = { macOS: 'darwin', Windows: 'win32' };

function isSigningExpected(platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): boolean {
  const names = (environment[expectedVariable] ?? '').split(/[\s,]+/).filter(Boolean);
  const unknown = names.find((name) => systemNames[name] === undefined);
  if (unknown !== undefined)
    throw new Error(
      `${expectedVariable} names “${unknown}”. It takes: ${Object.keys(systemNames).join(' ')}`,
    );
  return names.some((name) => systemNames[name] === platform);
}

export interface BuildChoice {
  kind: BuildKind | null;
  said: string | null;
}

export type WantedBuild = 'test' | 'release' | 'release or unsigned';

/**
 * Chooses the kind of a build. Refuses a release if credentials are missing; `release or unsigned` then makes the best possible
 * kind, unless the environment requires signed packages for this system. Systems that do not verify programs need no credentials.
 */
export function chooseBuild(
  wanted: WantedBuild,
  platform: NodeJS.Platform,
  environment: NodeJS.ProcessEnv = process.env,
): BuildChoice {
  if (wanted === 'test') return { kind: 'test', said: null };
  const lack = lackOfRelease(platform, environment);
  if (lack === null) return { kind: 'release', said: null };
  if (wanted === 'release') return { kind: null, said: lack.words };
  if (isSigningExpected(platform, environment))
    return { kind: null, said: `${lack.words}\n${expectedVariable} says that they are there.` };
  return lack.isNotaryAlone
    ? { kind: 'unnotarised', said: `${lack.words}\nThese packages are signed, and not notarised.` }
    : { kind: 'test', said: `${lack.words}\nThese packages are not signed.` };
}
