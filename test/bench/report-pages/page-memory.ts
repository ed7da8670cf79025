import { readFileSync } from 'node:fs';
import type { Browser, CDPSession, Page } from 'playwright';

const megabyte = 2 ** 20;

/** Figures of the page's process in megabytes. */
export interface PageMemory {
  /** JavaScript objects in use, and those that no collection has taken away yet. */
  heapMb: number;
  /** Memory that the process shares with no other, its freed parts and the tables of the program among it; 0 but on Linux. */
  ownMb: number;
}

export interface PageMemoryWatch {
  /** Memory of the process now. */
  now: () => Promise<PageMemory>;
  /** The same a second after everything that is not in use was collected. */
  collected: () => Promise<PageMemory>;
  /** How much of the engine's heaps for documents and JavaScript is objects, and how much is kept for new ones. */
  heaps: () => Promise<{ usedMb: number; freeMb: number }>;
}

/** Follows the memory of the page, whose process is the largest of those that draw pages. */
export async function watchMemory(browser: Browser, page: Page): Promise<PageMemoryWatch> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const whole = await browser.newBrowserCDPSession();
  const { processInfo } = await whole.send('SystemInfo.getProcessInfo');
  const renderers = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
  const largest = (): number => renderers.toSorted((a, b) => ownMegabytes(b) - ownMegabytes(a))[0] ?? 0;
  const now = async (): Promise<PageMemory> => ({
    ownMb: ownMegabytes(largest()),
    heapMb: await heapMegabytes(session),
  });
  return {
    now,
    async collected() {
      await session.send('HeapProfiler.collectGarbage');
      await page.waitForTimeout(1000);
      return now();
    },
    heaps: () => heapsOf(whole, largest()),
  };
}

async function heapMegabytes(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0) / megabyte;
}

function ownMegabytes(pid: number): number {
  if (process.platform !== 'linux') return 0;
  const kilobytes = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes ?? 0) / 1024;
}

type Allocators = Record<string, { attrs: Record<string, { value: string }> }>;

interface DumpEvent {
  ph: string;
  pid: number;
  args: { dumps?: { allocators?: Allocators } };
}

/** Reads the two heaps from the engine's own account of its memory. */
async function heapsOf(whole: CDPSession, pid: number): Promise<{ usedMb: number; freeMb: number }> {
  const events: DumpEvent[] = [];
  const collect = ({ value }: { value: unknown[] }): void => void events.push(...(value as DumpEvent[]));
  whole.on('Tracing.dataCollected', collect);
  await whole.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: {
      includedCategories: ['disabled-by-default-memory-infra'],
      excludedCategories: ['*'],
    },
  });
  await whole.send('Tracing.requestMemoryDump', { levelOfDetail: 'detailed' });
  const ended = new Promise<void>((resolve) => whole.once('Tracing.tracingComplete', () => resolve()));
  await whole.send('Tracing.end');
  await ended;
  whole.off('Tracing.dataCollected', collect);
  const bytes = (heap: string, attribute: string): number =>
    events
      .filter((event) => event.ph === 'v' && event.pid === pid)
      .map(({ args }) => args.dumps?.allocators?.[heap]?.attrs[attribute]?.value)
      .reduce((sum, hexadecimal) => sum + Number.parseInt(hexadecimal ?? '0', 16), 0);
  const heaps = ['blink_gc/main/heap', 'v8/main/heap'];
  const sum = (attribute: string): number =>
    heaps.reduce((all, heap) => all + bytes(heap, attribute), 0) / megabyte;
  const usedMb = sum('allocated_objects_size');
  return { usedMb, freeMb: sum('size') - usedMb };
}
