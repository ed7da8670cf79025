/**
 * `npm run soak:kills`: kills starts and pieces of work at every point at which they change the data folder, and writers at
 * random moments, in two processes, and checks that the next start succeeds. Also sends mutated requests to the embedded
 * service. Prints one line per scenario and ends with `N passed, N failed`. Arguments: words of the scenarios to run; without
 * arguments, all scenarios run.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createRandom } from '#shared/lib/random.ts';
import { runFuzz } from '#test/core/backend/fuzz/run-fuzz.ts';
import { startFuzzService } from '#test/core/backend/fuzz/fuzz-service.ts';
import { problemsOf } from './inspect.ts';
import { distinctPoints } from './kill-points.ts';
import { createLane } from './lane.ts';
import { createTwoStarts } from './two-starts.ts';
import { createScheduleLane, schedulePoints } from './schedule-lane.ts';
import {
  firstStart,
  openScenario,
  workOnThree,
  restoredBackup,
  restoredBackups,
  secondMigration,
  type Scenario,
} from './scenarios.ts';

interface Tally {
  passed: number;
  failed: number;
}

const parts = 2;
const randomKills = 400;
const roundsOfTwoStarts = 60;
/** The number of kills, each with a day of the task and two starts. */
const scheduleKills = 24;
const mutatedRequests = 10_000;
const partOption = '--part=';

const scenarios = [firstStart, restoredBackups, restoredBackup, secondMigration, ...workOnThree];
const args = process.argv.slice(2);
const words = args.filter((arg) => !arg.startsWith(partOption));
const part = args.find((arg) => arg.startsWith(partOption))?.slice(partOption.length);
const isWanted = (name: string): boolean => words.length === 0 || words.some((word) => name.includes(word));

process.exitCode = await (part === undefined ? runParts() : runPart(Number(part)));

async function runParts(): Promise<number> {
  const tallies = await Promise.all(Array.from({ length: parts }, (_, index) => tallyOf(index)));
  const sum = (of: (tally: Tally) => number): number => tallies.reduce((all, tally) => all + of(tally), 0);
  const [passed, failed] = [sum((tally) => tally.passed), sum((tally) => tally.failed)];
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

/** A part that ends without a tally has failed. */
async function tallyOf(index: number): Promise<Tally> {
  const child = spawn(process.execPath, [import.meta.filename, ...words, `${partOption}${index}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let tally: Tally = { passed: 0, failed: 1 };
  const ended = once(child, 'close');
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('{')) tally = JSON.parse(line) as Tally;
    else console.log(line);
  }
  await ended;
  return tally;
}

async function runPart(index: number): Promise<number> {
  const tally: Tally = { passed: 0, failed: 0 };
  for (const scenario of scenarios) {
    if (isWanted(scenario.name))
      await inScratch((scratch) => killAtPoints(scenario, { index, scratch, tally }));
  }
  if (isWanted('random')) await inScratch((scratch) => killAtRandom(scratch, index, tally));
  if (isWanted('two starts')) await inScratch((scratch) => startTwice(scratch, tally));
  if (isWanted('scheduled changes')) await inScratch((scratch) => killSchedules(scratch, tally));
  if (isWanted('mutated requests')) await sendMutated(tally);
  console.log(JSON.stringify(tally));
  return 0;
}

async function inScratch(work: (scratch: string) => Promise<void>): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'countersign-soak-'));
  try {
    await work(scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Checks every `parts`th point with different files. A point with the files of the point before counts with that point. */
async function killAtPoints(
  scenario: Scenario,
  { index, scratch, tally }: { index: number; scratch: string; tally: Tally },
): Promise<void> {
  const { points, problemsAt } = await openScenario(scenario, scratch);
  const distinct = distinctPoints(points);
  let failed = 0;
  let passed = 0;
  for (const [at, point] of distinct.entries()) {
    if (at % parts !== index) continue;
    const count = (distinct[at + 1]?.number ?? points.length + 1) - point.number;
    const problems = await problemsAt(point);
    if (problems.length === 0) passed += count;
    else {
      failed += count;
      console.log(`${scenario.name}: killed after ${point.name}: ${problems.join('; ')}`);
    }
  }
  console.log(
    `${scenario.name}: ${passed} of ${points.length} points passed in part ${index + 1}, ${failed} failed`,
  );
  tally.passed += passed;
  tally.failed += failed;
}

/** One part kills a person's writes, the other an agent's writes. */
async function killAtRandom(scratch: string, index: number, tally: Tally): Promise<void> {
  const who = index === 0 ? 'person' : 'agent';
  const seed = randomUUID();
  const lane = createLane({
    folder: scratch,
    word: `soak${index}-`,
    keepsKey: true,
    random: createRandom(seed),
    who,
  });
  await lane.settle();
  for (let kill = 0; kill < randomKills / parts; kill += 1) {
    await (kill % 8 === 0 ? lane.killStarting() : lane.killWriting());
    const problems = await problemsOf(scratch, lane.acknowledged);
    if (problems.length === 0) tally.passed += 1;
    else {
      tally.failed += 1;
      console.log(`random kill ${kill} of a(n) ${who}, seed ${seed}: ${problems.join('; ')}`);
    }
  }
  await lane.settle();
  console.log(`random kills of a(n) ${who}: ended with ${lane.acknowledged.length} acknowledged writes`);
}

/** Lets several cores compete for a folder whose lock is deleted. */
async function startTwice(scratch: string, tally: Tally): Promise<void> {
  const seed = randomUUID();
  const { round } = await createTwoStarts(join(scratch, 'data'), createRandom(seed));
  let all = 0;
  for (let count = 0; count < roundsOfTwoStarts / parts; count += 1) {
    const { writes, problems } = await round();
    all += writes;
    if (problems.length === 0) tally.passed += 1;
    else {
      tally.failed += 1;
      console.log(`two starts, round ${count}, seed ${seed}: ${problems.join('; ')}`);
    }
  }
  console.log(`two starts: ended with ${all} acknowledged writes`);
}

async function killSchedules(scratch: string, tally: Tally): Promise<void> {
  const seed = randomUUID();
  const lane = await createScheduleLane(scratch, createRandom(seed));
  for (let kill = 0; kill < scheduleKills / parts; kill += 1) {
    const point = schedulePoints[kill] ?? 'random';
    const problems = await lane.kill(point);
    if (problems.length === 0) tally.passed += 1;
    else {
      tally.failed += 1;
      console.log(`scheduled change killed at ${point}, seed ${seed}: ${problems.join('; ')}`);
    }
  }
  console.log('scheduled changes: ended');
}

/** Sends this part's requests to a service of its own, and counts the wrong answers. */
async function sendMutated(tally: Tally): Promise<void> {
  const seed = randomUUID();
  const perPart = 500;
  const service = await startFuzzService();
  const problems: string[] = [];
  const count = mutatedRequests / parts;
  for (let from = 0; from < count; from += perPart) {
    const { complaints } = await runFuzz({ credentials: await service.fresh(), seed, from, count: perPart });
    problems.push(...complaints);
  }
  await service.dispose();
  problems.push(...service.errors);
  for (const problem of problems) console.log(`mutated requests, seed ${seed}: ${problem}`);
  console.log(`mutated requests: ${count - problems.length} of ${count} answered in order`);
  tally.passed += count - problems.length;
  tally.failed += problems.length;
}
