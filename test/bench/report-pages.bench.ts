import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { projectRoot } from '../../scripts/lib/run-tool.ts';
import type { Figure } from './report-pages/measure.ts';

const sources = new URL('report-pages/', import.meta.url);
const folder = join(projectRoot, 'node_modules/.cache/bench-report-pages');

/**
 * First figures, fresh and cached; a Search report of a million rows, its pivots, and an emergency stop meanwhile. Built, and in a
 * process of its own, so that its memory is the core's as it is shipped.
 */
export async function run(): Promise<Figure[]> {
  await build({
    configFile: false,
    root: projectRoot,
    publicDir: false,
    logLevel: 'warn',
    build: {
      ssr: true,
      target: 'node24',
      outDir: folder,
      emptyOutDir: true,
      rolldownOptions: {
        input: {
          measure: fileURLToPath(new URL('measure.ts', sources)),
          'report-worker': 'src/main/core/reports/worker/report-worker.ts',
        },
        output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  });
  const dataFolder = await mkdtemp(join(tmpdir(), 'countersign-report-pages-'));
  try {
    return [
      ...(await measure(dataFolder, 'first')),
      ...(await measure(dataFolder, 'second')),
      ...(await measure(dataFolder, 'third')),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
    await rm(dataFolder, { recursive: true, force: true });
  }
}

async function measure(dataFolder: string, start: 'first' | 'second' | 'third'): Promise<Figure[]> {
  // This process waits meanwhile: its longest delay is what the machine took away.
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const core = fork(join(folder, 'measure.js'), [sources.href, dataFolder, start]);
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
