/**
 * `npm run mutate`: plants faults in copies of the sources, one at a time, and reports which of them the tests find. Fails if a
 * fault survives that `scripts/mutation/explained.ts` does not explain.
 *
 *     npm run mutate -- --count 60 --seed 1 [--folder src/main/core/ledger] [--only part-of-a-path] [--list]
 *     npm run mutate -- --project-root ../another-checkout
 *
 * `--nearest 40` runs only the 40 test files nearest to each fault. `--all` runs the slow projects as well.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from './lib/run-tool.ts';
import { textTable } from './lib/text-table.ts';
import { chooseFaults, guardedFolders } from './mutation/choose-faults.ts';
import { explanationOf } from './mutation/explained.ts';
import type { Fault } from './mutation/faults.ts';
import { readReachingTests } from './mutation/reaching-tests.ts';
import { runTests, type Finding } from './mutation/run-tests.ts';
import { makeScratchCopy, plantIn } from './mutation/scratch-copy.ts';

interface Result extends Fault {
  killed: boolean;
  /** The test that failed, or why the fault survives. */
  by: string;
  explained: boolean;
  seconds: number;
}

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    folder: { type: 'string', multiple: true, default: guardedFolders },
    only: { type: 'string', multiple: true },
    nearest: { type: 'string', default: 'Infinity' },
    'project-root': { type: 'string', default: projectRoot },
    all: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
});

const say = (line: string) => void process.stdout.write(`${line}\n`);
const root = resolve(values['project-root']);
const chosen = chooseFaults(root, {
  count: Number(values.count),
  seed: Number(values.seed),
  folders: values.folder,
});
const faults = chosen.filter((fault) => values.only?.some((part) => placeOf(fault).includes(part)) ?? true);

if (values.list) {
  for (const line of textTable(faults.map((fault) => [placeOf(fault), wordsOf(fault)]))) say(line);
} else {
  await measure();
}

async function measure(): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const beganAtMs = performance.now();
  const reachingTests = readReachingTests(root, values.all);
  const scratch = makeScratchCopy(root);
  /** Test files that pass without a fault, and those that do not. */
  const passing = new Set<string>();
  const failing = new Set<string>();

  /** A failure counts if the file passes without the fault. */
  async function findFault(fault: Fault): Promise<Finding> {
    const files = reachingTests(fault.file)
      .slice(0, Number(values.nearest))
      .filter((file) => !failing.has(file));
    const restore = plantIn(scratch, fault);
    const finding = await runTests(scratch, files, values.all).finally(restore);
    const { file } = finding;
    if (file === undefined || passing.has(file)) return finding;
    if ((await runTests(scratch, [file], values.all)).outcome === 'passed') {
      passing.add(file);
      return finding;
    }
    say(`${file} fails without a fault and is left out`);
    failing.add(file);
    return await findFault(fault);
  }

  const results: Result[] = [];
  for (const fault of faults) {
    const faultAtMs = performance.now();
    const { outcome, file = '', words } = await findFault(fault);
    const killed = outcome !== 'passed';
    const reason = killed ? undefined : explanationOf(fault);
    const by = [file, reason ?? words].filter(Boolean).join(' > ');
    const seconds = Math.round((performance.now() - faultAtMs) / 1000);
    const result = { ...fault, killed, by, explained: reason !== undefined, seconds };
    results.push(result);
    say(`${results.length}/${faults.length} ${rowOf(result).join('  ')}`);
    save(results);
  }

  say('');
  for (const line of textTable(results.map(rowOf), [3])) say(line);
  const survivors = results.filter(({ killed }) => !killed);
  const unexplained = survivors.filter(({ explained }) => !explained);
  const minutes = ((performance.now() - beganAtMs) / 60_000).toFixed(1);
  say('');
  say(
    `${results.length - survivors.length} of ${results.length} faults found, ${survivors.length} survived, ` +
      `${unexplained.length} of them unexplained; ${minutes} minutes`,
  );
  if (unexplained.length > 0) process.exitCode = 1;
}

function save(results: readonly Result[]): void {
  const folder = join(root, 'test/.output');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'mutation.json'), `${JSON.stringify(results, null, 2)}\n`);
}

function placeOf({ file, line }: Fault): string {
  return `${file}:${line}`;
}

function wordsOf({ kind, original, planted }: Fault): string {
  const short = (text: string) => {
    const line = text.replace(/\s+/g, ' ');
    return line.length > 60 ? `${line.slice(0, 59)}…` : line;
  };
  return `${kind}: ${short(original)} → ${short(planted)}`;
}

function rowOf(result: Result): string[] {
  const { killed, explained, by, seconds } = result;
  const outcome = killed ? 'killed by' : explained ? 'explained' : 'SURVIVED';
  return [placeOf(result), wordsOf(result), `${outcome} ${by}`, `${seconds} s`];
}
