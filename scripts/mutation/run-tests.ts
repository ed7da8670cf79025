import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { endTree, inOwnTree } from '../lib/processes.ts';
import { tools } from '../lib/run-tool.ts';

export interface TestReport {
  file?: string;
  failed?: string;
}

export interface TestRun {
  folder: string;
  files: readonly string[];
  /** Number of failed tests after which the run ends; 0 never ends early. */
  bail: number;
}

export interface Finding {
  passed: boolean;
  failed: string[];
  words: string;
}

export const reportMark = 'test ended: ';

export const testsVariable = 'COUNTERSIGN_MUTATION_TESTS';

const projects = ['pure', 'core', 'host'];

const testTimeoutMs = 60_000;

const silenceMs = 150_000;

const maxLastLines = 40;

const config = fileURLToPath(new URL('vitest.config.ts', import.meta.url));

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
