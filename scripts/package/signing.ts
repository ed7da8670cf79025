import { type AfterPackContext, Arch, type Configuration } from 'electron-builder';

/**
 * A test build is for the computer that it was made on: without a certificate, and on macOS with the ad-hoc signature that Apple's
 * processors ask of every program. A release is for others: signed, hardened and notarised, or it is not made.
 */
export type BuildKind = 'test' | 'release';

/** Settings of electron-builder. */
type Signing = Required<Pick<Configuration, 'forceCodeSigning' | 'mac' | 'win'>>;

/** Returns how a build of this kind is signed. `environment` names the certificate of a release. */
export function signing(kind: BuildKind, environment: NodeJS.ProcessEnv = process.env): Signing {
  if (kind === 'test') {
    return {
      forceCodeSigning: false,
      // Under the hardened runtime an ad-hoc signature loads no library, Electron's own included.
      mac: { identity: null, hardenedRuntime: false, notarize: false },
      win: { signExecutable: false },
    };
  }
  const { CSC_NAME: certificateSubjectName } = environment;
  return {
    forceCodeSigning: true,
    mac: {
      // Named, or electron-builder falls back to a developer's certificate, which other computers refuse.
      type: 'distribution',
      hardenedRuntime: true,
      entitlements: 'resources/entitlements.mac.plist',
      entitlementsInherit: 'resources/entitlements.mac.plist',
      notarize: true,
    },
    win: certificateSubjectName ? { signtoolOptions: { certificateSubjectName } } : {},
  };
}

/**
 * True if an app that is being packed is signed anew without a certificate once its fuses are set: that breaks the signature which
 * Electron came with, and Apple's own processors run no program without one. A release gets its own signature afterwards.
 */
export function needsAdHocSignature({ electronPlatformName, arch, packager }: AfterPackContext): boolean {
  return (
    electronPlatformName === 'darwin' && arch === Arch.arm64 && packager.config.forceCodeSigning !== true
  );
}

/** The variables that electron-builder takes a signature and Apple's notary from; one set of each must be complete. */
const credentials = {
  darwin: [
    { purpose: 'a Developer ID certificate', sets: [['CSC_LINK', 'CSC_KEY_PASSWORD'], ['CSC_NAME']] },
    {
      purpose: 'Apple’s notary',
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

/** In a pull request electron-builder leaves the signature out on macOS without failing. */
const pullRequest = [
  'GITHUB_BASE_REF',
  'CIRCLE_PULL_REQUEST',
  'TRAVIS_PULL_REQUEST',
  'BITRISE_PULL_REQUEST',
  'APPVEYOR_PULL_REQUEST_NUMBER',
];

/**
 * Returns why no release can be made here, in words for whoever asked for one; null if it can. Systems that do not check programs
 * need no credentials.
 */
export function refusalOfRelease(
  platform: NodeJS.Platform,
  environment: NodeJS.ProcessEnv = process.env,
): string | null {
  if (platform !== 'darwin' && platform !== 'win32') return null;
  const isSet = (name: string): boolean => !['', 'false'].includes(environment[name] ?? '');
  const inPullRequest = pullRequest.find(isSet);
  if (inPullRequest !== undefined)
    return `No release is made for a pull request (${inPullRequest} is set): it would not be signed.`;
  const missing = credentials[platform].filter(({ sets }) => !sets.some((names) => names.every(isSet)));
  if (missing.length === 0) return null;
  const lines = missing.map(
    ({ purpose, sets }) => `  ${purpose}: ${sets.map((names) => names.join(' and ')).join(', or ')}`,
  );
  return ['A release is signed, and these variables are missing:', ...lines].join('\n');
}
