/**
 * `npm test`: everything, also on a fresh machine. Finds or installs what the tests need, builds the app, and runs every
 * vitest project; vitest's own summary is the last thing printed. Arguments go to vitest.
 */
import { buildApp } from './lib/build-app.ts';
import { findChromium } from './lib/find-chromium.ts';
import { prepareElectron } from './lib/prepare-electron.ts';
import { prepareTestTools } from './lib/prepare-test-tools.ts';
import { runAttached } from './lib/run-attached.ts';
import { tools } from './lib/run-tool.ts';

process.exitCode = await main();

async function main(): Promise<number> {
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  say(`Preparing the tests (Node ${process.versions.node})`);
  if (!(await prepareTestTools(say))) return 1;
  const electron = await prepareElectron(say);
  if (electron === null) return 1;

  say('Building the app');
  const built = await buildApp();
  if (built !== 0) return built;

  const chromium = await findChromium();
  return runAttached(tools.vitest, ['run', ...process.argv.slice(2)], {
    ...process.env,
    ...(chromium && { CHROMIUM: chromium.path }),
    ELECTRON_OVERRIDE_DIST_PATH: electron.folder,
  });
}
