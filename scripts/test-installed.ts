/**
 * `npm run test:installed`: makes a Debian in a folder, installs the package there, uses it as a plain user, upgrades and removes
 * it. Needs Linux, root and Debian's mirror, and takes some minutes. Where it cannot run it is skipped, and says so; with
 * `CI=true` that is a failure.
 */
import { existsSync } from 'node:fs';
import { buildApp } from './lib/build-app.ts';
import { canInstallPackages, installPackages } from './lib/install-packages.ts';
import { prepareElectron } from './lib/prepare-electron.ts';
import { runAttached } from './lib/run-attached.ts';
import { tools } from './lib/run-tool.ts';
import { prepareTestBinding } from './lib/test-binding.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

process.exitCode = await main();

async function main(): Promise<number> {
  if (process.platform !== 'linux' || !canInstallPackages()) return skip('it needs root on a Debian');
  if (!existsSync('/usr/bin/mmdebstrap')) await installPackages(['mmdebstrap']);
  const electron = await prepareElectron(say);
  if (electron === null) return skip('there is no Electron on this machine');
  if ((await prepareTestBinding(electron, say)) === null) return skip('better-sqlite3 does not load in it');
  const built = await buildApp();
  if (built !== 0) return built;
  const config = ['--config', 'test/installed/vitest.config.ts'];
  return await runAttached(tools.vitest, ['run', ...config, ...process.argv.slice(2)], {
    ...process.env,
    ELECTRON_OVERRIDE_DIST_PATH: electron.folder,
  });
}

function skip(because: string): number {
  say(`Skipped 1 test file, test/installed/deb.test.ts: ${because}.`);
  return process.env['CI'] === 'true' ? 1 : 0;
}
