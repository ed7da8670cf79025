/**
 * `npm test`, `npm run test:all` and `npm run soak`. Finds or installs what the tests need, builds the app, and runs vitest. The
 * first argument selects the projects: `everyday` (for every push), `all`, `rest` (the additional projects of `all`, with the
 * existing build), `portable` (for Windows and macOS too), or `soak` (long runs). Other arguments are passed to vitest.
 *
 * Without an Electron, or without one that can run a core, the projects that need it are skipped and named in the last lines;
 * with `CI=true` that is a failure.
 */
import { buildApp } from './lib/build-app.ts';
import { desktopProjects, skippedVariable, packagedProjects, skippedLines } from './lib/desktop-projects.ts';
import { findChromium, findHeadlessChromium } from './lib/find-chromium.ts';
import { prepareElectron } from './lib/prepare-electron.ts';
import { prepareTestBinding } from './lib/test-binding.ts';
import { prepareTestTools } from './lib/prepare-test-tools.ts';
import { runAttached } from './lib/run-attached.ts';
import { commandVariable } from './lib/run-record.ts';
import { tools } from './lib/run-tool.ts';
import { everydayProjects, portableProjects, soakProjects, soakVariable } from './lib/test-settings.ts';

const project = (name: string): string[] => ['--project', name];

const choices: Record<string, string[]> = {
  everyday: everydayProjects.flatMap(project),
  all: [],
  rest: everydayProjects.map((name) => `!${name}`).flatMap(project),
  portable: portableProjects.flatMap(project),
  soak: soakProjects.flatMap(project),
};

const desktopNames = Object.keys(desktopProjects) as (keyof typeof desktopProjects)[];

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const [choice = '', ...vitestArgs] = process.argv.slice(2);
process.exitCode = await main();

async function main(): Promise<number> {
  const projects = choices[choice];
  if (projects === undefined) {
    say(`No choice ${choice}. Choices: ${Object.keys(choices).join(', ')}.`);
    return 2;
  }
  say(`Preparing the tests (Node ${process.versions.node})`);
  if (!(await prepareTestTools(say))) return 1;
  const electron = await prepareElectron(say);
  if (choice !== 'rest') say('Building the app');
  const [binding, built] = await Promise.all([
    electron && prepareTestBinding(electron, say),
    choice === 'rest' ? 0 : buildApp(),
  ]);
  if (built !== 0) return built;

  const [chromium, headless] = await Promise.all([findChromium(), findHeadlessChromium()]);
  const skipped = electron === null ? desktopNames : binding === null ? packagedProjects : [];
  let exitCode = await runAttached(tools.vitest, ['run', ...projects, ...vitestArgs], {
    ...process.env,
    [commandVariable]: ['node scripts/test.ts', choice, ...vitestArgs].join(' '),
    ...(choice === 'soak' && { [soakVariable]: '1' }),
    ...(chromium && { CHROMIUM: chromium.path }),
    ...(headless && { CHROMIUM_HEADLESS: headless.path }),
    ...(electron && { ELECTRON_OVERRIDE_DIST_PATH: electron.folder }),
    ...(skipped.length > 0 && { [skippedVariable]: skipped.join() }),
  });
  if (choice === 'soak') exitCode = (await runAttached('test/kills/soak.ts', [])) || exitCode;
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
