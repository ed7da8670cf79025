import { existsSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { startApp, within } from './running-app.ts';
import { newFolder, startOptions, whileReady } from './starts.ts';
import { runOrFail, type Step, type Trial } from './trial.ts';

export const installOver: Step = {
  does: 'is installed over while it runs: it ends in good order first, and its data is there afterwards',
  notHere: (trial) => (trial.platform === 'win32' ? notInstallable(trial) : notReplaceable(trial)),
  run: async (trial) => (trial.platform === 'win32' ? installOnWindows(trial) : replaceFolder(trial)),
};

/** An installer has one fixed data folder and one installation per user, so neither may exist. */
function notInstallable({ installer, ownFolder, run }: Trial): string | null {
  if (installer === null) return 'needs --installer';
  if (existsSync(ownFolder))
    return `needs a user without data of Countersign, and there is ${ownFolder}. It was left alone`;
  const installed = ['HKCU', 'HKLM'].find(
    (root) =>
      run('reg', ['query', `${root}\\${uninstallers}`, '/s', '/d', '/f', 'Countersign']).exitCode === 0,
  );
  return installed === undefined
    ? null
    : `needs a computer without Countersign, and ${installed} names an installation. It was left alone`;
}

/** The registry key under which Windows lists installed programs. */
const uninstallers = 'Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall';

/** The keychain treats two programs without a signing identity as different, and would ask a person. */
const notReplaceable = ({ platform, newer, signature: carried }: Trial): string | null =>
  platform === 'darwin' && newer !== null && (carried ?? 'none') === 'none'
    ? 'needs --signed with --newer'
    : null;

/**
 * The installer itself must ask the running app to quit. It gets no more information than a person's installer: neither the
 * app's folder nor its data folder.
 */
async function installOnWindows(trial: Trial): Promise<string> {
  const { newerInstaller, ownFolder } = trial;
  const installed = join(newFolder(trial, 'install'), 'Countersign');
  // With `_?=` the uninstaller works in this folder without copying itself, so that its end can be awaited.
  const uninstall = [join(installed, 'Uninstall Countersign.exe'), ['/S', `_?=${installed}`]] as const;
  try {
    try {
      await installOverRunning(trial, installed);
    } catch (failure) {
      trial.run(...uninstall);
      throw failure;
    }
    runOrFail(trial, ...uninstall);
    if (!existsSync(join(ownFolder, 'data/countersign.sqlite'))) throw new Error('Its data is gone');
  } finally {
    await rm(ownFolder, { recursive: true, force: true, maxRetries: 5 });
  }
  return newerInstaller === null ? 'the same version over itself' : 'a later version over the first';
}

async function installOverRunning(trial: Trial, installed: string): Promise<void> {
  const { newerInstaller, ownFolder, limitMs } = trial;
  const first = trial.installer ?? '';
  runOrFail(trial, first, ['/S', `/D=${installed}`]);
  const options = { program: trial.programIn(installed), userData: ownFolder, isOwnFolder: true, limitMs };
  const app = startApp(options);
  try {
    await app.ready();
    // Runs as an update: Windows has recorded the folder of the first installation.
    runOrFail(trial, newerInstaller ?? first, ['/S']);
    const code = await within(limitMs, 'The installer left the old version running', app.ended);
    if (code !== 0)
      throw new Error(`The old version ended with ${code}: the installer did not let it finish`);
    await whileReady(options);
  } finally {
    app.kill();
  }
}

/** Updates as on macOS and with Linux packages: a start asks the running app to quit, and then the files are replaced. */
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
  does: 'carries the signature that it has to',
  notHere(trial) {
    if (trial.platform === 'linux') return 'Linux has no signatures of programs';
    // A test build for macOS has a signature without an identity, which must be valid too.
    return trial.platform === 'win32' && trial.signature === null ? 'needs --signed or --dist' : null;
  },
  run: async (trial) => (trial.platform === 'win32' ? signatureOnWindows(trial) : signatureOnMac(trial)),
};

function signatureOnWindows(trial: Trial): string {
  const { file } = trial.programIn(trial.app);
  if (trial.signature !== 'none') return `signed by ${signerOnWindows(trial, file)}`;
  const status = authenticode(trial, file, '$s.Status');
  if (status !== 'NotSigned')
    throw new Error(`It was made without a certificate, and its signature is ${status}`);
  return 'not signed, as its build says';
}

/** Apple's certificates for programs outside of its store, in the requirement language of codesign. */
const developerId = 'anchor apple generic and certificate leaf[field.1.2.840.113635.100.6.1.13] exists';

function signatureOnMac(trial: Trial): string {
  const bundle = bundleIn(trial.app);
  const kind = trial.signature ?? 'none';
  runOrFail(trial, 'codesign', ['--verify', '--deep', '--strict', '--verbose=2', bundle]);
  if (kind === 'none') return 'codesign finds it intact';
  runOrFail(trial, 'codesign', ['--verify', `-R=${developerId}`, bundle]);
  if (kind === 'signed') return 'codesign finds it intact, with a Developer ID; it was not notarised';
  runOrFail(trial, 'spctl', ['--assess', '--type', 'execute', '--verbose', bundle]);
  runOrFail(trial, 'xcrun', ['stapler', 'validate', bundle]);
  return 'codesign finds it intact, Gatekeeper lets it start, and it carries its notarisation';
}

export const sameIdentity: Step = {
  does: 'has the identity of the version before, so that the keychain and updates take it for the same program',
  notHere({ platform, newer, signature: carried }) {
    if (platform === 'linux') return 'Linux has no signatures of programs';
    return newer === null || (carried ?? 'none') === 'none' ? 'needs --newer and --signed' : null;
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

const bundleIn = (folder: string): string =>
  folder.endsWith('.app') ? folder : posix.join(folder, 'Countersign.app');

/** Returns the subject of the certificate. Fails if the signature is missing or invalid. */
const signerOnWindows = (trial: Trial, file: string): string =>
  authenticode(
    trial,
    file,
    `if ($s.Status -ne 'Valid') { Write-Output $s.StatusMessage; exit 1 }; $s.SignerCertificate.Subject`,
  );

/** Evaluates a PowerShell expression on the signature `$s` of a file; returns the output. */
function authenticode(trial: Trial, file: string, question: string): string {
  const quoted = `'${file.replaceAll("'", "''")}'`;
  const script = `$s = Get-AuthenticodeSignature -LiteralPath ${quoted}; ${question}`;
  return runOrFail(trial, 'powershell', ['-NoProfile', '-NonInteractive', '-Command', script]).trim();
}
