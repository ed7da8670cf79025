import type { Browser, Page } from 'playwright';

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Microseconds: `dur` is wall-clock time, `tdur` processor time of the thread. */
  dur?: number;
  tdur?: number;
  args: { name?: string };
}

/**
 * Returns the longest task of the page's main thread during `act`, in milliseconds of processor time. Wall-clock time would
 * include the time that a shared machine gave to other processes.
 */
export async function longestTask(browser: Browser, page: Page, act: () => Promise<void>): Promise<number> {
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  await act();
  await page.waitForTimeout(200);
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[];
  };
  const threads = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = traceEvents.filter(
    ({ name, ph, pid, tid }) => ph === 'X' && name.endsWith('RunTask') && threads.has(`${pid} ${tid}`),
  );
  const times = tasks.flatMap(({ tdur }) => tdur ?? []);
  if (times.length < 100) throw new Error(`Only ${times.length} tasks were traced`);
  return times.reduce((longest, time) => Math.max(longest, time), 0) / 1000;
}
