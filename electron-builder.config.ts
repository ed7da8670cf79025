import type { Configuration } from 'electron-builder';
import { appId } from './src/shared/host-api/desktop.ts';
import { projectRoot } from './scripts/lib/run-tool.ts';
import { afterPack, appNapOff } from './scripts/package/after-pack.ts';
import { desktopEntry } from './scripts/package/linux/metadata.ts';
import { packagedFiles, reachedFiles } from './scripts/package/packaged-files.ts';
import { type BuildKind, signing } from './scripts/package/signing.ts';

const arch: ('x64' | 'arm64')[] = ['x64', 'arm64'];

/** The notices lie beside Electron's own, for people who look for them without the app: beside the program, on macOS in its resources. */
const notices = [{ from: 'out/notices/THIRD-PARTY-NOTICES.txt', to: 'THIRD-PARTY-NOTICES.txt' }];

/**
 * How a built app becomes a package (`npm run package`): the bundle, better-sqlite3 with the one binary that fits, and
 * nothing else. A function, because what the bundle reaches is known only after it has been built.
 */
export default function configuration(kind: BuildKind = 'test'): Configuration {
  const { forceCodeSigning, mac, win } = signing(kind);
  const reached = reachedFiles(projectRoot);
  return {
    appId,
    productName: 'Countersign',
    copyright: 'Countersign',
    directories: { output: 'dist', buildResources: 'resources' },
    // The archive is checked against its hash; only what the system has to load as a library lies beside it.
    asar: { smartUnpack: false },
    asarUnpack: ['**/*.node'],
    // better-sqlite3 brings binaries that fit every Electron.
    npmRebuild: false,
    allowMissingDependencies: false,
    publish: null,
    artifactName: '${productName}-${version}-${os}-${arch}.${ext}',
    afterPack,
    forceCodeSigning,

    win: {
      ...win,
      extraFiles: notices,
      files: packagedFiles(reached, 'win32'),
      target: [
        { target: 'nsis', arch },
        { target: 'zip', arch },
      ],
    },
    nsis: { perMachine: false, buildUniversalInstaller: false, include: 'resources/installer.nsh' },

    mac: {
      ...mac,
      extraResources: notices,
      files: packagedFiles(reached, 'darwin'),
      target: [
        { target: 'dmg', arch },
        { target: 'zip', arch },
      ],
      category: 'public.app-category.business',
      // Without this, App Nap slows the timers of an app that is hidden, and with them alerts, expiries and agents.
      extendInfo: { [appNapOff]: true },
    },

    linux: {
      extraFiles: notices,
      files: packagedFiles(reached, 'linux'),
      // deb and rpm are made of the same folder by scripts/package/linux.
      target: [{ target: 'AppImage', arch }],
      executableName: 'countersign',
      category: 'Office',
      desktop: { entry: desktopEntry },
    },
    // Without this, electron-builder writes --no-sandbox into the entry of the menu.
    appImage: { executableArgs: [] },
  };
}
