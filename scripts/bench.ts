/**
 * `npm run bench`: builds, runs every `test/bench/*.bench.ts` one after the other and prints one table with facts about the
 * machine. Words after `--` select files, for example `npm run bench -- rules`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { cpus, platform, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildApp } from './lib/build-app.ts';
import { projectRoot } from './lib/run-tool.ts';
import { textTable } from './lib/text-table.ts';

interface Figure {
  name: string;
  figure: number | string;
  unit: string;
  /** A number, or words such as `under 5`; null without a target. */
  aim: number | string | null;
  /** Upper limit; the run fails above it. Only for figures that are equal on every machine. */
  max?: number;
}

interface BenchFile {
  run(): Promise<Figure[]>;
}

const say = (line: string) => void process.stdout.write(`${line}\n`);

const folder = join(projectRoot, 'test/bench');
const wanted = process.argv.slice(2);
const files = (await readdir(folder))
  .filter(
    (file) =>
      file.endsWith('.bench.ts') && (wanted.length === 0 || wanted.some((word) => file.includes(word))),
  )
  .toSorted();

if ((await buildApp()) === 0) await measure();
else process.exitCode = 1;

async function measure(): Promise<void> {
  const rows: string[][] = [];
  const above: string[] = [];
  const before = processorTimes();
  for (const file of files) {
    say(`measuring ${file}`);
    const bench = (await import(pathToFileURL(join(folder, file)).href)) as BenchFile;
    for (const { name, figure, unit, aim, max = Infinity } of await bench.run()) {
      rows.push([name, typeof figure === 'number' ? shortNumber(figure) : figure, unit, String(aim ?? '')]);
      if (Number(figure) > max) above.push(`${name}: ${figure} ${unit}, and ${max} at most`);
    }
  }
  const [cpu] = cpus();
  say('');
  say(
    `${cpus().length} × ${cpu?.model.trim() ?? 'unknown processor'}, ${(totalmem() / 2 ** 30).toFixed(1)} GiB`,
  );
  say(`${platform()} ${release()}, Node ${process.versions.node}`);
  say(stolenWords(before, processorTimes()));
  say('');
  for (const line of textTable([['what', 'figure', 'unit', 'aim'], ...rows], [1])) say(line);
  if (above.length === 0) return;
  say('');
  for (const line of above) say(`ABOVE ITS LIMIT  ${line}`);
  process.exitCode = 1;
}

function processorTimes(): { all: number; stolen: number } | null {
  if (!existsSync('/proc/stat')) return null;
  const [, ...times] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').split(/ +/).map(Number);
  return { all: times.slice(0, 8).reduce((sum, time) => sum + time, 0), stolen: times[7] ?? 0 };
}

/** Reports time taken by other virtual machines on the same hardware, because a run that lost much time is unreliable. */
function stolenWords(before: ReturnType<typeof processorTimes>, after: typeof before): string {
  if (before === null || after === null) return 'not known what other guests of the machine took';
  const share = (after.stolen - before.stolen) / Math.max(1, after.all - before.all);
  return `${(100 * share).toFixed(1)} % of the processors taken by other guests of the machine`;
}

function shortNumber(figure: number): string {
  return figure.toLocaleString('en', {
    maximumSignificantDigits: Math.max(3, String(Math.trunc(figure)).length),
  });
}
