import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, sep } from 'node:path';
import { tempFolder } from '#test/servers/temp-folder.ts';

/** The suite's record of one check. */
export interface Check {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  errorMessage?: string;
}

export interface SuiteRun {
  /** The checks of every scenario that ran, by scenario. */
  scenarios: ReadonlyMap<string, readonly Check[]>;
  /** The summary that the suite printed at its end. */
  summary: string;
  exitCode: number;
}

const packages = createRequire(import.meta.url);

/** Runs a release of the official suite against a server, in a process of its own. */
export async function runSuite(release: string, args: readonly string[]): Promise<SuiteRun> {
  const folder = tempFolder();
  const { output, exitCode } = await run([entryOf(release), ...args, '--output-dir', folder]);
  const scenarios = new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => basename(path) === 'checks.json')
      .map((path) => [scenarioOf(dirname(path)), checksIn(join(folder, path))]),
  );
  const start = output.search(/=== (?:SUITE )?SUMMARY ===/);
  return { scenarios, summary: start < 0 ? output : output.slice(start), exitCode };
}

/** Lists every scenario of a release, for servers or for clients. */
export async function listScenarios(
  release: string,
  side: 'server' | 'client' = 'server',
): Promise<string[]> {
  const { output } = await run([entryOf(release), 'list', `--${side}`]);
  return namesIn(output);
}

/** Returns the scenarios that a release requires for a protocol revision. The suite's authors have frozen these lists. */
export function requiredScenarios(
  release: string,
  revision: string,
  side: 'server' | 'client' = 'server',
): string[] {
  const yaml = readFileSync(join(folderOf(release), `requirements/${revision}.yaml`), 'utf8');
  return namesIn(new RegExp(`^${side}:\\n((?: .*\\n)+)`, 'm').exec(yaml)?.[1] ?? '');
}

/** Returns a line for each failure and warning, for the message of an assertion. */
export function troubles(checks: readonly Check[]): string[] {
  return checks
    .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
    .map(({ id, status, errorMessage }) => `${status} ${id}: ${errorMessage ?? ''}`);
}

async function run(args: string[]): Promise<{ output: string; exitCode: number }> {
  return new Promise((resolve) => {
    const options = { maxBuffer: 64 * 1024 * 1024, timeout: 120_000 };
    execFile(process.execPath, args, options, (failure, stdout, stderr) => {
      const exitCode = failure === null ? 0 : typeof failure.code === 'number' ? failure.code : -1;
      resolve({ output: `${stdout}\n${stderr}`, exitCode });
    });
  });
}

function folderOf(release: string): string {
  return dirname(packages.resolve(`${release}/package.json`));
}

function entryOf(release: string): string {
  return join(folderOf(release), 'dist/index.js');
}

function namesIn(list: string): string[] {
  return [...list.matchAll(/^ +- ([\w/-]+)/gm)].map(([, name = '']) => name);
}

/** Example: `server-tools-list-2026-01-02T03-04-05-006Z` holds the results of `tools-list`. */
function scenarioOf(folder: string): string {
  return folder
    .split(sep)
    .join('/')
    .replace(/^server-(?=.*-\d{4}-\d\d-\d\dT)/, '')
    .replace(/-\d{4}-\d\d-\d\dT.*$/, '');
}

function checksIn(file: string): Check[] {
  return JSON.parse(readFileSync(file, 'utf8')) as Check[];
}
