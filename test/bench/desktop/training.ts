import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright';
import { skipFirstStart } from '#test/e2e/driver/app.ts';
import type { ElectronBed } from '#test/servers/electron-runtime.ts';
import { memoryOf, processesOf } from './processes.ts';
import { median, start } from './start.ts';

const rounds = 5;
/** Compilers must settle before memory is measured. */
const settleMs = 5_000;

/** Milliseconds from a click to its result, and bytes. */
export interface TrainingCost {
  /** From the click on Training to the page that asks for a name, with a running core. */
  openMs: number;
  /** From the click on Start to the briefing of the first mission. `laterBriefingMs` is the median of later missions. */
  firstBriefingMs: number;
  briefingMs: number;
  /** Resident memory of the training process on its home page, and with a mission. */
  homeBytes: number;
  missionBytes: number;
  /**
   * Memory that training adds with its window, with shared pages counted once: all of the app's processes with a mission,
   * minus those before.
   */
  addedBytes: number;
}

/** Measures training on the desktop: its times from a click on, and its memory. */
export async function measureTraining(bed: ElectronBed): Promise<TrainingCost> {
  const userData = bed.newFolder();
  const { page: app, stop } = await start(bed, { userData });
  await app.getByRole('row').nth(1).waitFor();
  await skipFirstStart(app);
  await sleep(settleMs);
  const beforeBytes = memoryOf(userData);
  const known = new Set(processesOf(userData).map(({ pid }) => pid));
  const opened = await timed(async () => {
    await app.getByRole('button', { name: 'Training' }).click();
    const page = await trainingPage(app);
    await page.getByRole('heading', { name: 'Who is training?' }).waitFor();
    return page;
  });
  const page = opened.result;
  const core = processesOf(userData).find(
    // Training runs in a process of plain Node, or in a utility process of Electron, whose command line does not name
    // its file.
    ({ pid, command }) => !known.has(pid) && /training-core\.cjs|node\.mojom/.test(command),
  );
  if (core === undefined) throw new Error('No process of training');
  await sleep(settleMs);
  const homeBytes = residentBytes(core.pid);
  await page.getByLabel('Your name').fill('Bench');
  await page.keyboard.press('Enter');

  const startMission = async (): Promise<number> =>
    (
      await timed(async () => {
        await page.getByRole('button', { name: 'Start first mission' }).click();
        await page.getByRole('article', { name: 'Briefing' }).waitFor();
      })
    ).ms;
  const firstBriefingMs = await startMission();
  await sleep(settleMs);
  const missionBytes = residentBytes(core.pid);
  const addedBytes = memoryOf(userData) - beforeBytes;
  const later: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await page.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('button', { name: 'Discard' }).click();
    // The previous workspace must be closed first, as it would be for a person.
    await sleep(settleMs);
    later.push(await startMission());
  }
  await stop();
  return {
    openMs: opened.ms,
    firstBriefingMs,
    briefingMs: median(later),
    homeBytes,
    missionBytes,
    addedBytes,
  };
}

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const startedAtMs = performance.now();
  const result = await work();
  return { ms: performance.now() - startedAtMs, result };
}

async function trainingPage(app: Page): Promise<Page> {
  for (;;) {
    const pages =
      app
        .context()
        .browser()
        ?.contexts()
        .flatMap((context) => context.pages()) ?? [];
    const page = pages.find((found) => found.url().startsWith('countersign://training/'));
    if (page !== undefined) return page;
    await sleep(5);
  }
}

function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}
