/**
 * `npm test`: everything, also on a fresh machine. Finds or installs what the tests need, builds the app, and runs every
 * vitest project. Where no Electron can be had, the projects that need one are skipped and named in the last lines; with
 * `CI=true` that is a failure. Arguments go to vitest.
 */
import { buildApp } from './lib/build-app.ts';
import { skippedLines, withoutDesktop } from './lib/desktop-projects.ts';
import { findChromium, findHeadlessChromium } from './lib/find-chromium.ts';
import { prepareElectron } from './lib/prepare-electron.ts';
import { prepareTestTools } from './lib/prepare-test-tools.ts';
import { runAttached } from './lib/run-attached.ts';
import { tools } from './lib/run-tool.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

process.exitCode = await main();

async function main(): Promise<number> {
  say(`Preparing the tests (Node ${process.versions.node})`);
  if (!(await prepareTestTools(say))) return 1;
  const electron = await prepareElectron(say);

  say('Building the app');
  const built = await buildApp();
  if (built !== 0) return built;

  const [chromium, headless] = await Promise.all([findChromium(), findHeadlessChromium()]);
  const exitCode = await runAttached(tools.vitest, ['run', ...process.argv.slice(2)], {
    ...process.env,
    ...(chromium && { CHROMIUM: chromium.path }),
    ...(headless && { CHROMIUM_HEADLESS: headless.path }),
    ...(electron === null ? { [withoutDesktop]: '1' } : { ELECTRON_OVERRIDE_DIST_PATH: electron.folder }),
  });
  return electron === null ? skipDesktop(exitCode) : exitCode;
}

/** Says last what was skipped. The exit code of the run, which fails on a machine that has to test everything. */
function skipDesktop(exitCode: number): number {
  for (const line of skippedLines()) say(line);
  if (process.env['CI'] !== 'true') return exitCode;
  say('CI=true: a run without the desktop has failed.');
  return exitCode === 0 ? 1 : exitCode;
}
