import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { projectRoot } from './run-tool.ts';
import { textTable } from './text-table.ts';

/** Environment variable with the command of a complete run, for example `npm test`. Without it, a run writes no record. */
export const commandVariable = 'COUNTERSIGN_TEST_COMMAND';

export const lastRunFile = 'test/.output/last-run.json';

export interface LastRun {
  command: string;
  commit: string;
  isClean: boolean;
  passed: number;
  failed: number;
  skipped: number;
  endedAt: string;
  files: TestFileTime[];
}

export interface TestFileTime {
  project: string;
  file: string;
  tests: number;
  seconds: number;
}

const slowestShown = 10;

export class RunRecord implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const files = modules.map(timeOf);
    const states = modules
      .flatMap((module) => [...module.children.allTests()])
      .map((test) => test.result().state);
    const count = (wanted: string): number => states.filter((state) => state === wanted).length;
    // A file that could not be loaded, and an error outside tests, also fail the run.
    const broken = modules.filter((module) => module.errors().length > 0).length + errors.length;
    const counts = {
      passed: count('passed'),
      failed: count('failed') + broken,
      skipped: count('skipped') + count('pending'),
    };
    for (const line of ['', ...projectTable(files), '', ...slowestTable(files)]) say(line);
    const command = process.env[commandVariable];
    if (command !== undefined)
      writeRecord({ command, ...commitOf(projectRoot), ...counts, endedAt: new Date().toISOString(), files });
    say(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  }
}

function timeOf(module: TestModule): TestFileTime {
  const { prepareDuration, setupDuration, collectDuration, duration } = module.diagnostic();
  return {
    project: module.project.name,
    file: relative(projectRoot, module.moduleId).replaceAll('\\', '/'),
    tests: [...module.children.allTests()].length,
    seconds: Number(((prepareDuration + setupDuration + collectDuration + duration) / 1000).toFixed(1)),
  };
}

function projectTable(files: readonly TestFileTime[]): string[] {
  const projects = Map.groupBy(files, ({ project }) => project);
  const rows = [...projects].map(([name, own]) => [
    name,
    String(own.length),
    String(own.reduce((sum, { tests }) => sum + tests, 0)),
    own.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(0),
  ]);
  return textTable([['project', 'files', 'tests', 'seconds'], ...rows], [1, 2, 3]);
}

function slowestTable(files: readonly TestFileTime[]): string[] {
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, slowestShown);
  const rows = slowest.map(({ file, seconds }) => [file, seconds.toFixed(1)]);
  return textTable([['slowest files', 'seconds'], ...rows], [1]);
}

function commitOf(root: string): { commit: string; isClean: boolean } {
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', `safe.directory=${root}`, ...args], { cwd: root, encoding: 'utf8' }).trim();
  return { commit: git('rev-parse', 'HEAD'), isClean: git('status', '--porcelain') === '' };
}

function writeRecord(run: LastRun): void {
  const file = join(projectRoot, lastRunFile);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(run, null, 2)}\n`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
