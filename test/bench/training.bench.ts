import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { composeTraining } from '#core/compose/training.ts';
import { systemClock } from '#core/platform/clock.ts';
import type { MissionId } from '#shared/training/index.ts';

const rounds = 5;
const bytesPerMb = 1024 * 1024;

/**
 * Measures the start of the largest mission and of an ordinary mission: a new workspace with its core, campaigns and admitted
 * agent, and the memory that it adds to the process.
 */
export async function run(): Promise<{ name: string; figure: number; unit: string; aim: string }[]> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const atStart = memoryMb();
  const core = await composeTraining({
    dataFolder: folder,
    host: 'terminal',
    version: '0.0.0',
    confirmer: { via: 'terminal', show: async () => ({ address: null }), hide() {} },
  });
  const { handlers } = core;
  const closed = memoryMb();

  async function start(mission: MissionId): Promise<number> {
    const startedAt = systemClock.monotonicMs();
    await handlers['training.startMission']({ mission });
    return systemClock.monotonicMs() - startedAt;
  }

  async function stop(): Promise<void> {
    await handlers['training.leave']({});
    await handlers['training.discard']({});
  }

  try {
    await handlers['training.setName']({ name: 'Bench' });
    const first = await start('bids');
    const open = memoryMb();
    await stop();
    const usual: number[] = [];
    const largest: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      usual.push(await start('bids'));
      await stop();
      largest.push(await start('outlier'));
      await stop();
    }
    const after = memoryMb();
    return [
      { name: 'first start of a mission', figure: first, unit: 'ms', aim: 'under 2000' },
      {
        name: `start of a mission, median of ${rounds}`,
        figure: median(usual),
        unit: 'ms',
        aim: 'under 2000',
      },
      {
        name: `start of the largest mission, median of ${rounds}`,
        figure: median(largest),
        unit: 'ms',
        aim: 'under 2000',
      },
      { name: 'memory of training without a workspace', figure: closed - atStart, unit: 'MB', aim: '–' },
      { name: 'memory that a workspace adds', figure: open - closed, unit: 'MB', aim: '–' },
      {
        name: `memory that ${2 * rounds + 1} workspaces leave`,
        figure: after - closed,
        unit: 'MB',
        aim: '–',
      },
    ];
  } finally {
    await core.dispose();
    rmSync(folder, { recursive: true });
  }
}

function memoryMb(): number {
  globalThis.gc?.();
  return process.memoryUsage.rss() / bytesPerMb;
}

function median(figures: readonly number[]): number {
  return figures.toSorted((left, right) => left - right)[Math.floor(figures.length / 2)] ?? 0;
}
