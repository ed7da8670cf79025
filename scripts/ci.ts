/**
 * `npm run ci`: the steps that must pass before a change is merged; run `npm ci` first. Runs all steps except `portable` in this
 * order until one fails. A word after `--` selects one step, for example `npm run ci -- check`. Each step ends with the summary
 * of its runner.
 */
import { runAttached, runProgramAttached } from './lib/run-attached.ts';
import { projectRoot } from './lib/run-tool.ts';

const steps: Record<string, () => Promise<number>> = {
  check: () => runAttached('scripts/check.ts', []),
  // Finds files that `npm ci` or the checks changed. In a container another user may own the checkout.
  unchanged: () => runProgramAttached('git', ['-c', `safe.directory=${projectRoot}`, 'diff', '--exit-code']),
  test: () => runAttached('scripts/test.ts', ['everyday']),
  rest: () => runAttached('scripts/test.ts', ['rest']),
  installed: () => runAttached('scripts/test-installed.ts', ['--or-skip']),
  portable: () => runAttached('scripts/test.ts', ['portable']),
};

const everyStep = ['check', 'unchanged', 'test', 'rest', 'installed'];
const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !Object.hasOwn(steps, name));
if (unknown.length === 0) process.exitCode = await runSteps(chosen.length === 0 ? everyStep : chosen);
else {
  process.stderr.write(`No step ${unknown.join(', ')}. Steps: ${Object.keys(steps).join(', ')}.\n`);
  process.exitCode = 2;
}

async function runSteps(names: readonly string[]): Promise<number> {
  for (const name of names) {
    const exitCode = (await steps[name]?.()) ?? 2;
    if (exitCode !== 0) return exitCode;
  }
  return 0;
}
