import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openElectronBed, type ElectronBed } from '#test/servers/electron-runtime.ts';
import { blankAddress, copyBlank, makePackagedApp, programIn } from '#test/servers/packaged/packaged-app.ts';
import { memoryOf, processorSecondsOf } from './desktop/processes.ts';
import { firstPaint, median, type Stages, startOnce } from './desktop/start.ts';
import { margin, ownPart, readBaseline, weigh, type Weights } from './packaged/weight.ts';

const rounds = 5;
/** Compilers and caches must settle first, and V8 returns memory only half a minute after it was busy. */
const settleSeconds = 45;
const idleSeconds = 20;

/**
 * Measures the packaged app with its core (its start, its size and its cost when idle) and compares it with an empty Electron
 * app.
 */
export async function run() {
  const packaged = await makePackagedApp();
  const blank = join(dirname(packaged.shipped), 'blank');
  await copyBlank(packaged.shipped, blank);
  const bed = await openElectronBed({ stagesApp: false });
  try {
    const weights = { ours: weigh(packaged.shipped), blank: weigh(blank) };
    const launch = { program: programIn(packaged.driven), userData: bed.newFolder() };
    const first = await startOnce(bed, launch);
    const nothingLaunch = { program: programIn(blank), userData: bed.newFolder() };
    await firstPaint(bed, nothingLaunch, blankAddress);
    const later: Stages[] = [];
    const paints: number[] = [];
    // The two packages alternate, so that a temporarily slow machine is slow for both.
    for (let round = 0; round < rounds; round += 1) {
      later.push(await startOnce(bed, launch));
      paints.push(await firstPaint(bed, nothingLaunch, blankAddress));
    }
    const stage = (name: keyof Stages): number => median(later.map((stages) => stages[name] ?? NaN));
    const times = (name: keyof Stages): number => stage(name) / median(paints);
    await makeStatistics(bed, { program: programIn(packaged.shipped), userData: launch.userData });
    const atRest = await restOf(bed, { program: programIn(packaged.shipped), userData: launch.userData });
    const nothing = await restOf(bed, nothingLaunch);
    return [
      figure('first start until the first row (makes the demo data)', first.firstRow, 'ms'),
      figure('start: the host is up', stage('hostUp'), 'ms'),
      figure('start: the core is ready', stage('coreReady'), 'ms'),
      figure(`start until the first row, median of ${rounds}`, stage('firstRow'), 'ms', 'under 1200'),
      figure('start until the rows of the last session', stage('keptRow'), 'ms'),
      figure('start of a blank package until its first text, median of as many', median(paints), 'ms'),
      figure('cached rows drawn / blank package’s first text', times('keptRow'), '×', '1.4 at most'),
      figure('fresh rows / blank package’s first text', times('firstRow'), '×', '2.0 at most'),
      ...sizes(weights),
      ...atRestBeside({ ours: atRest, blank: nothing }),
    ];
  } finally {
    await bed.close();
    packaged.remove();
  }
}

function figure(name: string, value: number, unit: string, aim: string | null = null) {
  return { name: `packaged: ${name}`, figure: value, unit, aim };
}

const megabytes = (bytes: number): number => bytes / 1_000_000;

const inMegabytes = (bytes: number): string => megabytes(bytes).toFixed(2);

/** Compares the size of the deb with an empty package. Our part of the size has a limit. */
function sizes(weights: Weights) {
  const { ownPart: before } = readBaseline();
  const words = { download: 'deb to download', installed: 'deb installed' } as const;
  return (['download', 'installed'] as const).flatMap((of) => {
    const limit = before[of] * margin;
    return [
      figure(words[of], megabytes(weights.ours[of]), 'MB'),
      figure(`${words[of]}: a blank one of the same Electron`, megabytes(weights.blank[of]), 'MB'),
      {
        ...figure(
          `${words[of]}: our part of it`,
          megabytes(ownPart(weights, of)),
          'MB',
          `${inMegabytes(limit)} at most (${inMegabytes(before[of])} and ${Math.round((margin - 1) * 100)} %)`,
        ),
        max: megabytes(limit),
      },
    ];
  });
}

interface Rest {
  bytes: number;
  processor: number;
}

/** Compares memory and processor use when idle with an empty package and with the baseline. */
function atRestBeside(rest: Record<'ours' | 'blank', Rest>) {
  const { rest: before } = readBaseline();
  const names = { ours: '', blank: ': a blank package of the same Electron' };
  return (['ours', 'blank'] as const).flatMap((whose) => [
    figure(
      `memory at rest, all processes${names[whose]}`,
      megabytes(rest[whose].bytes),
      'MB',
      `was ${before[whose].memory}`,
    ),
    figure(
      `processor at rest over ${idleSeconds} s${names[whose]}`,
      rest[whose].processor,
      '% of one core',
      `was ${before[whose].processor}`,
    ),
  ]);
}

/**
 * Lets the app make the demo's statistics. It does this once, a while after a start, and no earlier start of the bench lasts
 * long enough.
 */
async function makeStatistics(
  bed: ElectronBed,
  launch: { program: string; userData: string },
): Promise<void> {
  const ended = bed.run({ ...launch, timeoutMs: 300_000 });
  const log = join(launch.userData, 'data/logs/countersign.log');
  while (!existsSync(log) || !readFileSync(log, 'utf8').includes('The statistics are complete'))
    await sleep(500);
  await bed.run({ ...launch, args: ['--quit-for-update'] });
  await ended;
}

/** Measures memory and the share of one core of a program that is neither used nor driven. */
async function restOf(
  bed: ElectronBed,
  { program, userData }: { program: string; userData: string },
): Promise<Rest> {
  // The timeout ends the program, but only after the measurement.
  const ended = bed.run({ program, userData, timeoutMs: (settleSeconds + idleSeconds + 5) * 1000 });
  await sleep(settleSeconds * 1000);
  const before = processorSecondsOf(userData);
  await sleep(idleSeconds * 1000);
  const processor = ((processorSecondsOf(userData) - before) / idleSeconds) * 100;
  const bytes = memoryOf(userData);
  await ended;
  return { bytes, processor };
}
