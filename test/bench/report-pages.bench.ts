import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { buildProgram } from './report-pages/build.ts';
import type { Figure } from './report-pages/measure.ts';

const sources = new URL('report-pages/', import.meta.url);

/**
 * Measures the first figures, fresh and cached; a Search report of a million rows and its pivots; and an emergency stop
 * meanwhile. The core is bundled and runs in a process of its own, so that the memory is that of the core as it ships.
 */
export async function run(): Promise<Figure[]> {
  const program = await buildProgram('measure');
  const dataFolder = await mkdtemp(join(tmpdir(), 'countersign-report-pages-'));
  try {
    return [
      ...(await measure(program.file, dataFolder, 'first')),
      ...(await measure(program.file, dataFolder, 'second')),
      ...(await measure(program.file, dataFolder, 'third')),
    ];
  } finally {
    await program.dispose();
    await rm(dataFolder, { recursive: true, force: true });
  }
}

async function measure(
  program: string,
  dataFolder: string,
  start: 'first' | 'second' | 'third',
): Promise<Figure[]> {
  // This process only waits, so its longest delay is time that the machine gave to other processes.
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const core = fork(program, [sources.href, dataFolder, start]);
  const ended = once(core, 'exit');
  const [figures] = (await Promise.race([once(core, 'message'), failed(core)])) as [Figure[]];
  await ended;
  delay.disable();
  const name = 'longest turn of an idle process meanwhile: what the machine took away';
  return [...figures, { name, figure: delay.max / 1e6, unit: 'ms', aim: '–' }];
}

async function failed(core: ChildProcess): Promise<never> {
  const [code] = (await once(core, 'exit')) as [number | null];
  throw new Error(`The measured core ended with ${code ?? 'a signal'}`);
}
