/**
 * `npm run try-package -- <step>...`: tries a package on the system that it was made for, as a person or an installer would.
 * `make` makes what is tried for this system; `all` tries every step that can be tried here; a step that is named fails where
 * it cannot. `--app` names another unpacked folder or bundle than the one that was made, `--newer` one of a later version,
 * `--installer` and `--newer-installer` those for Windows; `--signed` says that signatures have to be valid.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { packagedProgram } from '../../scripts/package/packaged-program.ts';
import { foreignName, reservedPort, secondStart, start } from './starts.ts';
import { tryPackage } from './try-package.ts';
import { runHere, type Step } from './trial.ts';
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
  const app = path(values.app) ?? join(packagesFolder, 'shipped');
  if (!existsSync(app)) {
    say(`There is no ${app}. \`npm run try-package -- make\` makes it.`);
    return 2;
  }
  const work = mkdtempSync(join(tmpdir(), 'countersign-try-'));
  try {
    return await tryPackage(steps, positionals, say, {
      platform: process.platform,
      app,
      newer: path(values.newer),
      installer: path(values.installer),
      newerInstaller: path(values['newer-installer']),
      isSigned: values.signed,
      work,
      limitMs: 90_000,
      programIn: (folder) => ({ file: packagedProgram(folder) }),
      run: runHere,
    });
  } finally {
    rmSync(work, { recursive: true, force: true, maxRetries: 5 });
  }
}

function usage(): number {
  say('npm run try-package -- make | all | <step>...');
  for (const [name, { does }] of Object.entries(steps)) say(`  ${name.padEnd(14)} ${does}`);
  return 2;
}
