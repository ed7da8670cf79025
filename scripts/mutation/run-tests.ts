import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { endTree, inOwnTree } from '../lib/processes.ts';
import { tools } from '../lib/run-tool.ts';

/** A line of vitest's output: a test has ended. */
export interface TestReport {
  /** Path from the root; absent if no file is known. */
  file?: string;
  /** The title of the test; absent if it passed. */
  failed?: string;
}

/** What a run of tests has found. */
export interface Finding {
  outcome: 'passed' | 'failed' | 'hung';
  /** The test file that failed first. */
  file?: string | undefined;
  /** The failed test, or the last words of a run that failed without one. */
  words: string;
}

export const reportMark = 'test ended: ';

/** Environment variable with the test files of a run, in order. */
export const testsVariable = 'COUNTERSIGN_MUTATION_TESTS';

/** Projects of `npm test` without those that drive a browser or Electron; `unit` is that of older commits. */
const projects = ['pure', 'core', 'host', 'unit'];

/** A test that takes longer has failed, in milliseconds. */
const testTimeoutMs = 60_000;

/** A run in which no test ends for so long hangs, in milliseconds. */
const silenceMs = 150_000;

const config = fileURLToPath(new URL('vitest.config.ts', import.meta.url));

/** Runs test files of the project in `folder` in this order, until the first fails. */
export async function runTests(folder: string, files: readonly string[], all: boolean): Promise<Finding> {
  if (files.length === 0) return { outcome: 'passed', words: 'no test reaches the file' };
  const args = ['run', '--config', config, '--root', folder, '--bail', '1', `--testTimeout=${testTimeoutMs}`];
  if (!all) args.push(...projects.flatMap((project) => ['--project', project]));
  const child = spawn(process.execPath, [tools.vitest, ...args, ...files], {
    ...inOwnTree(),
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, [testsVariable]: files.join('\n') },
  });
  const end = () => void (child.pid !== undefined && endTree(child.pid));
  process.once('exit', end);
  let hung = false;
  const watchdog = setTimeout(() => {
    hung = true;
    end();
  }, silenceMs);
  let failure: TestReport | undefined;
  let last = '';
  const read = (line: string) => {
    if (line.startsWith(reportMark)) {
      watchdog.refresh();
      const report = JSON.parse(line.slice(reportMark.length)) as TestReport;
      if (report.failed !== undefined) failure ??= report;
    } else if (line.trim() !== '') {
      last = line;
    }
  };
  for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', read);
  const exitCode = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
  clearTimeout(watchdog);
  process.off('exit', end);
  if (hung) return { outcome: 'hung', words: `no test ended within ${silenceMs / 1000} s` };
  if (exitCode === 0) return { outcome: 'passed', words: '' };
  return { outcome: 'failed', file: failure?.file, words: failure?.failed ?? last };
}
