/**
 * `npm run clients`: installs Claude Code and Codex, as scripts/clients/package-lock.json pins them, into a folder of their own,
 * and runs the tests of these programs. Needs Linux and npm's registry. Arguments are passed to vitest.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, globSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { runAttached } from './lib/run-attached.ts';
import { projectRoot, tools } from './lib/run-tool.ts';
import { programsVariable } from './lib/test-settings.ts';

const folder = join(projectRoot, 'node_modules/.cache/clients');

const say = (line: string): void => void process.stdout.write(`${line}\n`);

process.exitCode = await main();

async function main(): Promise<number> {
  const programFolders = process.platform === 'linux' ? install() : null;
  if (programFolders === null) {
    say('Claude Code and Codex could not be installed. That needs Linux and npm’s registry.');
    return 1;
  }
  return await runAttached(tools.vitest, ['run', '--project', 'programs', ...process.argv.slice(2)], {
    ...process.env,
    PATH: [...programFolders, process.env['PATH']].join(delimiter),
    [programsVariable]: '1',
  });
}

/** Returns the folders that contain the programs; null if npm fails. */
function install(): string[] | null {
  cpSync(join(projectRoot, 'scripts/clients'), folder, { recursive: true });
  // Neither program needs its install scripts: that of Claude Code only copies the file that is found below.
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund'];
  if (spawnSync('npm', args, { cwd: folder, stdio: 'inherit' }).status !== 0) return null;
  const [claude] = globSync('node_modules/@anthropic-ai/claude-code-*/claude', { cwd: folder });
  return claude === undefined ? null : [join(folder, dirname(claude)), join(folder, 'node_modules/.bin')];
}
