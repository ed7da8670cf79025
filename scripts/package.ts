/**
 * `npm run package`: builds, then makes the packages for this system, into `dist`. `npm run package -- --dir` stops at the
 * folder that they are made of; `--release` signs them, and fails before it begins where it cannot. electron-builder downloads
 * Electron and its own tools.
 */
import { build } from 'electron-builder';
import configuration from '../electron-builder.config.ts';
import { buildApp } from './lib/build-app.ts';
import { projectRoot } from './lib/run-tool.ts';
import { refusalOfRelease } from './package/signing.ts';

const kind = process.argv.includes('--release') ? 'release' : 'test';
const refusal = kind === 'release' ? refusalOfRelease(process.platform) : null;
if (refusal !== null) process.stderr.write(`${refusal}\n`);
const built = refusal === null ? await buildApp() : 1;
if (built === 0) {
  await build({
    projectDir: projectRoot,
    config: configuration(kind),
    publish: 'never',
    dir: process.argv.includes('--dir'),
  });
} else {
  process.exitCode = built;
}
