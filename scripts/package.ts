/**
 * `npm run package`: builds, then makes the packages for this system, into `dist`. `npm run package -- --dir` stops at the
 * folder that they are made of. electron-builder downloads Electron and its own tools; it signs where it finds a certificate.
 */
import { build } from 'electron-builder';
import configuration from '../electron-builder.config.ts';
import { buildApp } from './lib/build-app.ts';
import { projectRoot } from './lib/run-tool.ts';

const built = await buildApp();
if (built === 0) {
  await build({
    projectDir: projectRoot,
    config: configuration(),
    publish: 'never',
    dir: process.argv.includes('--dir'),
  });
} else {
  process.exitCode = built;
}
