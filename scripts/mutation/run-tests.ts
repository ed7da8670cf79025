import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { endTree, inOwnTree } from '../lib/processes.ts';
import { tools } from '../lib/run-tool.ts';

/** One ended test, as the reporter prints it. */
export interface TestReport {
  /** Path from the root; absent if no file is known. */
  file?: string;
  /** The title of the test; absent if it passed. */
  failed?: string;
}

/** Tests to run. */
export interface TestRun {
  /** The copy of the project. */
  folder: string;
  /** Test files, in order. */
  files: readonly string[];
  /** Number of failed tests after which the run ends; 0 if it never ends early. */
  bail: number;
}

/** Result of a run of tests. A run that hangs has not passed. */
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

/** Projects that drive neither a browser nor Electron. */
const projects = ['pure', 'core', 'host'];

/** Timeout of a test, in milliseconds. */
const testTimeoutMs = 60_000;

/** Time without an ended test after which a run counts as hung, in milliseconds. */
const silenceMs = 150_000;

/** Lines of the output that an error about a run quotes. */
const maxLastLines = 40;

const config = fileURLToPath(new URL('vitest.config.ts', import.meta.url));

/** Runs test files in a copy of the project. Fails if vitest cannot run them. */
export async function runTests({ folder, files, bail }: TestRun): Promise<Finding> {
  if (files.length === 0) return { passed: true, failed: [], words: '' };
  const args = ['run', '--config', config, '--root', folder, `--bail=${bail}`];
  args.push(`--testTimeout=${testTimeoutMs}`, ...projects.map((name) => `--project=${name}`));
  const child = spawn(process.execPath, [tools.vitest, ...args, ...files], {
    ...inOwnTree(),
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, [testsVariable]: files.join('\n') },
  });
  const end = () => void (child.pid !== undefined && endTree(child.pid));
  // Prepended, so that the tests end before an earlier listener removes their folder.
  process.prependOnceListener('exit', end);
  let hung = false;
  const watchdog = setTimeout(() => {
    hung = true;
    end();
  }, silenceMs);
  const failures: TestReport[] = [];
  let lastLines: string[] = [];
  const read = (line: string) => {
    if (line.startsWith(reportMark)) {
      watchdog.refresh();
      const report = JSON.parse(line.slice(reportMark.length)) as TestReport;
      if (report.failed !== undefined) failures.push(report);
    } else if (line.trim() !== '') {
      lastLines = [...lastLines, line].slice(-maxLastLines);
    }
  };
  for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', read);
  const ended = await new Promise<number | NodeJS.Signals>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(signal ?? code ?? 1));
  });
  clearTimeout(watchdog);
  process.off('exit', end);
  const failed = [...new Set(failures.flatMap(({ file }) => file ?? []))];
  if (hung) return { passed: false, failed: [], words: `no test ended within ${silenceMs / 1000} s` };
  if (ended !== 0 && failures.length === 0)
    throw new Error(`The tests do not run: vitest ended with ${ended}\n${lastLines.join('\n')}`);
  return { passed: ended === 0, failed, words: failures[0]?.failed ?? '' };
}
