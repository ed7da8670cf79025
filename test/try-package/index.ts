/**
 * `npm run try-package -- <step>...`: tries a package on the system that it was made for, as a person or an installer would.
 * `make` builds the package for this system; `all` runs every step that this system supports; a named step fails if the
 * system does not support it. `--dist` names the folder of the packages that `npm run package` made for this system and
 * architecture. `--app` names an unpacked folder or bundle instead of the one from `make`, `--newer` one of a later version;
 * `--installer` and `--newer-installer` name those for Windows. `--signed` requires valid signatures, on macOS with
 * notarization.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { packagedProgram } from '../../scripts/package/packaged-program.ts';
import { foreignName, reservedPort, secondStart, start } from './starts.ts';
import { withOwnKeychain } from './keychain.ts';
import { tryPackage } from './try-package.ts';
import { runHere, type Step, type Trial, whyNoStart } from './trial.ts';
import { installOver, sameIdentity, signature } from './updates.ts';
import { packagesFolder, write } from './write.ts';

const steps: Readonly<Record<string, Step>> = {
  start,
  'second-start': secondStart,
  write,
  name: foreignName,
  'reserved-port': reservedPort,
  'install-over': installOver,
  signature,
  'same-identity': sameIdentity,
};

const file = { type: 'string' } as const;
const { values, positionals } = parseArgs({
  options: {
    dist: file,
    app: file,
    newer: file,
    installer: file,
    'newer-installer': file,
    signed: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const path = (given: string | undefined): string | null => (given === undefined ? null : resolve(given));

process.exitCode = await main();

async function main(): Promise<number> {
  if (positionals.length === 0) return usage();
  if (positionals.join() === 'make') return (await import('./make.ts')).makePackages();
  const reason = whyNoStart(process.platform, process.getuid?.());
  if (reason !== null) {
    say(reason);
    return 2;
  }
  const tried = await chosenPackage();
  if (!existsSync(tried.app)) {
    say(`There is no ${tried.app}. \`npm run try-package -- make\` makes it.`);
    return 2;
  }
  const work = mkdtempSync(join(tmpdir(), 'countersign-try-'));
  const screen = await screenFor(work);
  try {
    return await tryPackage(withOwnKeychain(steps), positionals, say, {
      platform: process.platform,
      ...tried,
      newer: path(values.newer),
      newerInstaller: path(values['newer-installer']),
      ownFolder: join(process.env['APPDATA'] ?? '', 'Countersign'),
      work,
      limitMs: 90_000,
      programIn: (folder) => ({ file: packagedProgram(folder) }),
      run: runHere,
    });
  } finally {
    await screen.close();
    rmSync(work, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Returns the package that the arguments name, or the package that `make` has made. */
async function chosenPackage(): Promise<Pick<Trial, 'app' | 'installer' | 'signature'>> {
  if (values.dist !== undefined)
    return (await import('./packages-in-dist.ts')).packagesInDist(resolve(values.dist));
  const made = join(packagesFolder, 'installer.exe');
  return {
    app: path(values.app) ?? join(packagesFolder, 'shipped'),
    installer: path(values.installer) ?? (values.app === undefined && existsSync(made) ? made : null),
    signature: !values.signed ? null : process.platform === 'darwin' ? 'notarised' : 'signed',
  };
}

/** On Linux without a screen, windows are drawn in memory by Xvfb. */
async function screenFor(work: string): Promise<{ close(): Promise<void> }> {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (process.platform !== 'linux' || DISPLAY || WAYLAND_DISPLAY) return { close: async () => {} };
  const { startXDisplay } = await import('../servers/electron/x-display.ts');
  const { env, close } = await startXDisplay(join(work, 'authority'));
  Object.assign(process.env, env);
  return { close };
}

function usage(): number {
  say('npm run try-package -- make | all | <step>...');
  for (const [name, { does }] of Object.entries(steps)) say(`  ${name.padEnd(14)} ${does}`);
  return 2;
}
