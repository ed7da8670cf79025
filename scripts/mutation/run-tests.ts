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

/** Which tests are run. */
export interface TestRun {
  /** The copy of the project. */
  folder: string;
  /** Test files, in order. */
  files: readonly string[];
  /** Includes the slow projects. */
  all: boolean;
  /** Failed tests after which the run ends; 0 for no end. */
  bail: number;
}

/** What a run of tests has found. A run that hangs has not passed. */
export interface Finding {
  passed: boolean;
  /** Test files that failed, in this order. */
  failed: string[];
  /** The first failed test, or how else the run ended. */
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

/** Runs test files in a copy of the project. Fails if vitest cannot run them. */
export async function runTests({ folder, files, all, bail }: TestRun): Promise<Finding> {
  if (files.length === 0) return { passed: true, failed: [], words: '' };
  const args = ['run', '--config', config, '--root', folder, `--bail=${bail}`];
  args.push(`--testTimeout=${testTimeoutMs}`, ...(all ? [] : projects.map((name) => `--project=${name}`)));
  const child = spawn(process.execPath, [tools.vitest, ...args, ...files], {
    ...inOwnTree(),
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, [testsVariable]: files.join('\n') },
  });
  const end = () => void (child.pid !== undefined && endTree(child.pid));
  // Before the removal of the folder that the tests use.
  process.prependOnceListener('exit', end);
  let hung = false;
  const watchdog = setTimeout(() => {
    hung = true;
    end();
  }, silenceMs);
  const failures: TestReport[] = [];
  let last = '';
  const read = (line: string) => {
    if (line.startsWith(reportMark)) {
      watchdog.refresh();
      const report = JSON.parse(line.slice(reportMark.length)) as TestReport;
      if (report.failed !== undefined) failures.push(report);
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
  const failed = [...new Set(failures.flatMap(({ file }) => file ?? []))];
  if (hung) return { passed: false, failed: [], words: `no test ended within ${silenceMs / 1000} s` };
  if (exitCode !== 0 && failures.length === 0) throw new Error(`The tests do not run: ${last}`);
  return { passed: exitCode === 0, failed, words: failures[0]?.failed ?? '' };
}
