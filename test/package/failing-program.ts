/**
 * Exits with 3 after a run has made a temporary file as electron-builder does. With `plain`, the exit code is not preserved.
 */
import { createRequire } from 'node:module';
import { keepExitCode } from '../../scripts/package/build-packages.ts';

interface TemporaryFiles {
  TmpDir: new () => { getTempFile(options: object): Promise<string> };
}

const require = createRequire(import.meta.resolve('app-builder-lib/package.json'));
const { TmpDir } = require('temp-file') as TemporaryFiles;
const run = (): Promise<string> => new TmpDir().getTempFile({});

await (process.argv[2] === 'plain' ? run() : keepExitCode(run));
process.exitCode = 3;
