/**
 * `npm run mutate`: plants faults in copies of the sources, one at a time, and reports which faults the tests find. Fails if a
 * fault survives that `scripts/mutation/explained.ts` does not explain.
 *
 *     npm run mutate -- --count 60 --seed 1 [--folder src/main/core/ledger] [--nearest 40] [--list]
 *
 * `--nearest 40` runs only the 40 test files nearest to each fault.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from './lib/run-tool.ts';
import { textTable } from './lib/text-table.ts';
import { chooseFaults, guardedFolders, type Fault } from './mutation/faults.ts';
import { explanationOf } from './mutation/explained.ts';
import { readReachingTests, makeScratchCopy, plantIn } from './mutation/scratch-copy.ts';
import { runTests } from './mutation/run-tests.ts';

interface Result extends Fault {
  killed: boolean;
  killer: string | null;
  words: string;
  explanation: string | undefined;
  seconds: number;
}

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    folder: { type: 'string', multiple: true, default: guardedFolders },
    nearest: { type: 'string', default: 'Infinity' },
    list: { type: 'boolean', default: false },
  },
});

const say = (line: string) => void process.stdout.write(`${line}\n`);
const faults = chooseFaults(projectRoot, {
  count: Number(values.count),
  seed: Number(values.seed),
  folders: values.folder,
});

if (values.list) {
  for (const line of textTable(faults.map((fault) => [placeOf(fault), wordsOf(fault)]))) say(line);
} else {
  await measure();
}

async function measure(): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const beganAtMs = performance.now();
  const reachingTests = readReachingTests(projectRoot);
  const scratch = makeScratchCopy(projectRoot);
  const passing = new Set<string>();
  const failing = new Set<string>();
  const results = new Map<Fault, Result>();

  async function findFault(fault: Fault): Promise<Result> {
    const faultAtMs = performance.now();
    const files = reachingTests(fault.file).filter((file) => !failing.has(file));
    const restore = plantIn(scratch, fault);
    const run = { folder: scratch, files: files.slice(0, Number(values.nearest)), bail: 1 };
    const { passed, failed, words } = await runTests(run).finally(restore);
    const explanation = passed ? explanationOf(fault) : undefined;
    const seconds = Math.round((performance.now() - faultAtMs) / 1000);
    return { ...fault, killed: !passed, killer: failed[0] ?? null, words, explanation, seconds };
  }

  // A failure counts only if the test file passes without the fault. Otherwise the fault is planted again without that
  // file.
  for (let open = faults; open.length > 0;) {
    for (const fault of open) {
      const result = await findFault(fault);
      results.set(fault, result);
      say(`${results.size}/${faults.length}  ${rowOf(result).join('  ')}`);
      save([...results.values()]);
    }
    const killers = new Set([...results.values()].flatMap(({ killer }) => killer ?? []));
    const files = [...killers].filter((file) => !passing.has(file));
    const { failed } = await runTests({ folder: scratch, files, bail: 0 });
    for (const file of files) (failed.includes(file) ? failing : passing).add(file);
    for (const file of failed) say(`${file} fails without a fault and is left out`);
    open = open.filter((fault) => failing.has(results.get(fault)?.killer ?? ''));
  }
  report([...results.values()], performance.now() - beganAtMs);
}

function report(results: readonly Result[], tookMs: number): void {
  say('');
  for (const line of textTable(results.map(rowOf), [3])) say(line);
  const survivors = results.filter(({ killed }) => !killed);
  const unexplained = survivors.filter(({ explanation }) => explanation === undefined);
  say('');
  say(
    `${results.length - survivors.length} of ${results.length} faults found, ${survivors.length} survived, ` +
      `${unexplained.length} of them unexplained; ${(tookMs / 60_000).toFixed(1)} minutes`,
  );
  if (unexplained.length > 0) process.exitCode = 1;
}

function save(results: readonly Result[]): void {
  const folder = join(projectRoot, 'test/.output');
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
  const { killed, killer, words, explanation, seconds } = result;
  const outcome = killed ? `killed by ${[killer ?? [], words].flat().join(' > ')}` : 'SURVIVED';
  const shown = explanation === undefined ? outcome : `explained: ${explanation}`;
  return [placeOf(result), wordsOf(result), shown, `${seconds} s`];
}
