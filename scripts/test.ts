/**
 * `npm test`: everything, also on a fresh machine. Finds or installs what the tests need, builds the app, and runs every
 * vitest project. Where no Electron can be had, or none that carries a core, the projects that need one are skipped and
 * named in the last lines; with `CI=true` that is a failure. Arguments go to vitest.
 */
import { buildApp } from './lib/build-app.ts';
import { desktopProjects, leftOutVariable, packagedProjects, skippedLines } from './lib/desktop-projects.ts';
import { findChromium, findHeadlessChromium } from './lib/find-chromium.ts';
import { prepareElectron } from './lib/prepare-electron.ts';
import { prepareTestBinding } from './lib/test-binding.ts';
import { prepareTestTools } from './lib/prepare-test-tools.ts';
import { runAttached } from './lib/run-attached.ts';
import { tools } from './lib/run-tool.ts';

const allDesktop = Object.keys(desktopProjects) as (keyof typeof desktopProjects)[];

const say = (line: string): void => void process.stdout.write(`${line}\n`);

process.exitCode = await main();

async function main(): Promise<number> {
  say(`Preparing the tests (Node ${process.versions.node})`);
  if (!(await prepareTestTools(say))) return 1;
  const electron = await prepareElectron(say);
  const binding = electron && (await prepareTestBinding(electron, say));

  say('Building the app');
  const built = await buildApp();
  if (built !== 0) return built;

  const [chromium, headless] = await Promise.all([findChromium(), findHeadlessChromium()]);
  const skipped = electron === null ? allDesktop : binding === null ? packagedProjects : [];
  const exitCode = await runAttached(tools.vitest, ['run', ...process.argv.slice(2)], {
    ...process.env,
    ...(chromium && { CHROMIUM: chromium.path }),
    ...(headless && { CHROMIUM_HEADLESS: headless.path }),
    ...(electron && { ELECTRON_OVERRIDE_DIST_PATH: electron.folder }),
    ...(skipped.length > 0 && { [leftOutVariable]: skipped.join() }),
  });
  if (skipped.length === 0) return exitCode;
  const because =
    electron === null
      ? 'there is no Electron on this machine'
      : 'better-sqlite3 does not load in the Electron of this machine';
  for (const line of skippedLines(skipped, because)) say(line);
  if (process.env['CI'] !== 'true') return exitCode;
  say('CI=true: a run without these projects has failed.');
  return exitCode === 0 ? 1 : exitCode;
}
