import { existsSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { startApp, within } from './running-app.ts';
import { newFolder, startOptions, whileReady } from './starts.ts';
import { runOrFail, type Step, type Trial } from './trial.ts';

export const installOver: Step = {
  does: 'is installed over while it runs: it ends in good order first, and its data is there afterwards',
  notHere: ({ platform, installer }) =>
    platform === 'win32' && installer === null ? 'needs --installer' : null,
  run: async (trial) => (trial.platform === 'win32' ? installOnWindows(trial) : replaceFolder(trial)),
};

/** The installer itself has to ask the running app to quit. */
async function installOnWindows(trial: Trial): Promise<string> {
  const installed = join(newFolder(trial, 'install'), 'Countersign');
  const first = trial.installer ?? '';
  // NSIS takes the folder last, and without quotes.
  const install = (file: string): string => runOrFail(trial, file, ['/S', `/D=${installed}`]);
  install(first);
  const options = startOptions(trial, installed);
  const app = startApp(options);
  try {
    await app.ready();
    install(trial.newerInstaller ?? first);
    const code = await within(trial.limitMs, 'The installer left the old version running', app.ended);
    if (code !== 0)
      throw new Error(`The old version ended with ${code}: the installer did not let it finish`);
    await whileReady(options);
  } finally {
    app.kill();
    runOrFail(trial, join(installed, 'Uninstall Countersign.exe'), ['/S']);
  }
  if (!existsSync(join(options.userData, 'data/countersign.sqlite'))) throw new Error('Its data is gone');
  return trial.newerInstaller === null ? 'the same version over itself' : 'a later version over the first';
}

/** As updates do on macOS and packages on Linux: a start asks the running app to quit, and the files are replaced. */
async function replaceFolder(trial: Trial): Promise<string> {
  const installed = join(newFolder(trial, 'install'), trial.app.endsWith('.app') ? 'Countersign.app' : 'app');
  const copy = (from: string): Promise<void> =>
    cp(from, installed, { recursive: true, verbatimSymlinks: true });
  await copy(trial.app);
  const options = startOptions(trial, installed);
  await whileReady(options);
  await rm(installed, { recursive: true });
  await copy(trial.newer ?? trial.app);
  await whileReady(options);
  return trial.newer === null ? 'the same version over itself' : 'a later version over the first';
}

export const signature: Step = {
  does: 'carries a valid signature',
  notHere({ platform, isSigned }) {
    if (platform === 'linux') return 'Linux has no signatures of programs';
    // A test build for macOS has the signature without an identity, which has to be valid too.
    return platform === 'win32' && !isSigned ? 'needs --signed' : null;
  },
  async run(trial) {
    if (trial.platform === 'win32') return signerOnWindows(trial, trial.programIn(trial.app).file);
    runOrFail(trial, 'codesign', ['--verify', '--deep', '--strict', '--verbose=2', bundleIn(trial.app)]);
    if (!trial.isSigned) return 'codesign finds it intact';
    runOrFail(trial, 'spctl', ['--assess', '--type', 'execute', '--verbose', bundleIn(trial.app)]);
    runOrFail(trial, 'xcrun', ['stapler', 'validate', bundleIn(trial.app)]);
    return 'codesign finds it intact, Gatekeeper lets it start, and it carries its notarisation';
  },
};

export const sameIdentity: Step = {
  does: 'has the identity of the version before, so that the keychain and updates take it for the same program',
  notHere({ platform, newer, isSigned }) {
    if (platform === 'linux') return 'Linux has no signatures of programs';
    return newer === null || !isSigned ? 'needs --newer and --signed' : null;
  },
  async run(trial) {
    const newer = trial.newer ?? '';
    if (trial.platform === 'win32') {
      const [before, after] = [trial.app, newer].map((folder) =>
        signerOnWindows(trial, trial.programIn(folder).file),
      );
      if (before !== after) throw new Error(`The signer was ${before} and is ${after}`);
      return `both are signed by ${before}`;
    }
    const said = runOrFail(trial, 'codesign', ['--display', '--requirements', '-', bundleIn(trial.app)]);
    const requirement = /^(?:# )?designated => (.+)$/m.exec(said)?.[1];
    if (requirement === undefined) throw new Error(`codesign names no requirement:\n${said}`);
    runOrFail(trial, 'codesign', ['--verify', `-R=${requirement}`, bundleIn(newer)]);
    return `the later version fulfils “${requirement}”`;
  },
};

/** The bundle itself, or the one in an unpacked folder. */
const bundleIn = (folder: string): string =>
  folder.endsWith('.app') ? folder : posix.join(folder, 'Countersign.app');

/** The subject of the certificate; fails where the signature is missing or not valid. */
function signerOnWindows(trial: Trial, file: string): string {
  const quoted = `'${file.replaceAll("'", "''")}'`;
  const script =
    `$s = Get-AuthenticodeSignature -LiteralPath ${quoted}; ` +
    `if ($s.Status -ne 'Valid') { Write-Output $s.StatusMessage; exit 1 }; $s.SignerCertificate.Subject`;
  return runOrFail(trial, 'powershell', ['-NoProfile', '-NonInteractive', '-Command', script]).trim();
}
