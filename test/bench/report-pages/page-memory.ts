import { readFileSync } from 'node:fs';
import type { Browser, CDPSession, Page } from 'playwright';

const megabyte = 2 ** 20;

/** Memory of the page's process in megabytes. */
export interface PageMemory {
  /** JavaScript objects in use and objects that were not collected yet. */
  heapMb: number;
  /** Private memory of the process, including freed parts and tables of the program; 0 except on Linux. */
  ownMb: number;
}

export interface PageMemoryWatch {
  /** Measures the process now. */
  now: () => Promise<PageMemory>;
  /** Measures the process one second after a garbage collection. */
  collected: () => Promise<PageMemory>;
  /** The heaps for documents and JavaScript: megabytes in use and megabytes reserved for new objects. */
  heaps: () => Promise<{ usedMb: number; freeMb: number }>;
}

/** Measures the memory of the page. The page's process is taken to be the largest renderer process. */
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

/** Reads the two heaps from Chromium's memory dump. */
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
