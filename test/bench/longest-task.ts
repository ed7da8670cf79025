import type { Browser, Page } from 'playwright';

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Microseconds on the clock, and of processor time of the thread. */
  dur?: number;
  tdur?: number;
  args: { name?: string };
}

/**
 * The longest task of the page's main thread meanwhile, in milliseconds of processor time. On a shared machine a task on the clock
 * is as long as the machine was taken away in it.
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
