import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openElectronBed, type ElectronBed } from '#test/servers/electron-runtime.ts';
import { copyBlank, makePackagedApp, programIn } from '#test/servers/packaged/packaged-app.ts';
import { memoryOf, processorSecondsOf } from './desktop/processes.ts';
import { median, type Stages, startOnce } from './desktop/start.ts';

const rounds = 5;
/** Compilers and caches come to rest first, and the demo's statistics are made once. */
const settleSeconds = 30;
const idleSeconds = 20;

/** The packaged app, its core inside: how it starts, what it weighs, and what it costs at rest, beside a package of nothing. */
export async function run() {
  const packaged = await makePackagedApp();
  const blank = join(dirname(packaged.shipped), 'blank');
  await copyBlank(packaged.shipped, blank);
  const bed = await openElectronBed({ stagesApp: false });
  try {
    const launch = { program: programIn(packaged.driven), userData: bed.newFolder() };
    const first = await startOnce(bed, launch);
    const later: Stages[] = [];
    for (let round = 0; round < rounds; round += 1) later.push(await startOnce(bed, launch));
    const stage = (name: keyof Stages): number => median(later.map((stages) => stages[name]));
    const atRest = await restOf(bed, { program: programIn(packaged.shipped), userData: launch.userData });
    const nothing = await restOf(bed, { program: programIn(blank), userData: bed.newFolder() });
    return [
      figure('first start until the first row (makes the demo data)', first.firstRow, 'ms'),
      figure('start: the host is up', stage('hostUp'), 'ms'),
      figure('start: the core is ready', stage('coreReady'), 'ms'),
      figure(`start until the first row, median of ${rounds}`, stage('firstRow'), 'ms', 'under 1200'),
      ...compared('installed', megabytes(installedBytes(packaged.shipped)), megabytes(installedBytes(blank))),
      ...compared(
        'to download, as .tar.gz',
        megabytes(packedBytes(packaged.shipped)),
        megabytes(packedBytes(blank)),
      ),
      ...compared('memory at rest, all processes', megabytes(atRest.bytes), megabytes(nothing.bytes)),
      figure(`processor at rest over ${idleSeconds} s`, atRest.processor, '% of one core', 'near 0'),
      figure('the same of a blank package', nothing.processor, '% of one core'),
    ];
  } finally {
    await bed.close();
    packaged.remove();
  }
}

function figure(name: string, value: number, unit: string, aim: string | null = null) {
  return { name: `packaged: ${name}`, figure: value, unit, aim };
}

const compared = (name: string, ours: number, blank: number) => [
  figure(name, ours, 'MB'),
  figure(`${name}: a blank package of the same Electron`, blank, 'MB'),
];

const megabytes = (bytes: number): number => bytes / 1_000_000;

function installedBytes(folder: string): number {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path));
  return paths.reduce((sum, path) => (statSync(path).isFile() ? sum + statSync(path).size : sum), 0);
}

/** Size of the folder as a package carries it. */
function packedBytes(folder: string): number {
  const command = `tar -C '${folder}' -c . | gzip -6 | wc -c`;
  return Number(execFileSync('sh', ['-c', command], { encoding: 'utf8' }));
}

/** Measures a program that is neither used nor driven: memory, and the share of one core. */
async function restOf(
  bed: ElectronBed,
  { program, userData }: { program: string; userData: string },
): Promise<{ bytes: number; processor: number }> {
  // It ends with the time, and not before it was measured.
  const ended = bed.run({ program, userData, timeoutMs: (settleSeconds + idleSeconds + 5) * 1000 });
  await sleep(settleSeconds * 1000);
  const before = processorSecondsOf(userData);
  await sleep(idleSeconds * 1000);
  const processor = ((processorSecondsOf(userData) - before) / idleSeconds) * 100;
  const bytes = memoryOf(userData);
  await ended;
  return { bytes, processor };
}
