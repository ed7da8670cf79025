import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runAttached } from '../../scripts/lib/run-attached.ts';
import { projectRoot } from '../../scripts/lib/run-tool.ts';
import type { Step } from './trial.ts';

/** The folder with the packages that `make` has made: `shipped`, and `driven` with the entry for a driver. */
export const packagesFolder = join(projectRoot, 'test/.output/packages');

/** The environment variable that passes this folder to the project `packaged`, which then packs nothing itself. */
export const packagesVariable = 'COUNTERSIGN_PACKAGES';

/** A package that ships accepts no driver. Its twin does, and the scenario of the project `packaged` drives the twin. */
export const write: Step = {
  does: 'stores a change that is approved in its confirmation window, and has it after a restart',
  notHere: ({ app }) =>
    app === join(packagesFolder, 'shipped') && existsSync(join(packagesFolder, 'driven'))
      ? null
      : 'needs the packages of `make`, which can be driven',
  async run() {
    const scenario = [
      '--project',
      'packaged',
      'test/packaged/core-inside.test.ts',
      '-t',
      'a change that is approved',
    ];
    const env = { ...process.env, [packagesVariable]: packagesFolder };
    const exitCode = await runAttached('scripts/test.ts', scenario, env);
    if (exitCode !== 0) throw new Error(`The scenario ended with ${exitCode}`);
    return 'verified, and there after a restart';
  },
};
