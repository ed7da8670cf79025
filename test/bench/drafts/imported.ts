import type { Core } from '#core/compose/compose.ts';
import { systemClock } from '#core/platform/clock.ts';
import { keepHeapSmall } from '#core/platform/heap.ts';
import type { AppOutput } from '#shared/app-api/index.ts';
import { openCore } from './core.ts';

/** Measurements of the process in seconds, and in megabytes of 2^20 bytes. */
export interface ImportedFigures {
  drafted: number;
  usable: number;
  importSeconds: number;
  checkSeconds: number;
  restingMb: number;
  /** The peak of the process during import and check. */
  peakMb: number;
  /** Memory of live objects after the check and a garbage collection. */
  liveMb: number;
}

const lookEveryMs = 50;
const megabyte = 2 ** 20;

const [folder = '', dataKey = ''] = process.argv.slice(2);
keepHeapSmall();
const core = await openCore(folder, Buffer.from(dataKey, 'hex'));
process.send?.(await measure(core));
await core.dispose();
process.disconnect();

/** Imports a file that changes the bid of every campaign, and checks the drafts with the requests that a page sends. */
async function measure({ handlers }: Core): Promise<ImportedFigures> {
  const cids = await allCids(handlers);
  const text = await editedFile(handlers, cids);
  let peakBytes = 0;
  const look = (): void => void (peakBytes = Math.max(peakBytes, process.memoryUsage.rss()));
  const watch = setInterval(look, lookEveryMs);
  const importedAt = systemClock.monotonicMs();
  const { id } = await handlers['bulk.fileStart']({ name: 'bids.csv' });
  await handlers['bulk.filePart']({ id, bytes: Buffer.from(text).toString('base64') });
  const detect = { encoding: null, separator: null, decimals: null, dates: null, rounded: null, lost: null };
  await handlers['bulk.fileRead']({ id, ...detect });
  await untilRead(handlers);
  const { campaigns: drafted } = await handlers['bulk.addToDrafts']({ edit: { kind: 'file' } });
  const importSeconds = secondsSince(importedAt);

  const restingMb = process.memoryUsage.rss() / megabyte;
  const checkedAt = systemClock.monotonicMs();
  await handlers['drafts.check']({ cids: null });
  while ((await handlers['drafts.checked']({ cids: cids.slice(0, 1) })).isRunning) await pause();
  const checkSeconds = secondsSince(checkedAt);

  clearInterval(watch);
  look();
  await globalThis.gc?.({ type: 'major', execution: 'async' });
  const liveMb = process.memoryUsage().heapUsed / megabyte;
  const { campaigns: found } = await handlers['drafts.checked']({});
  const usable = found.filter(({ state }) => state === 'ready' || state === 'warning').length;
  return { drafted, usable, importSeconds, checkSeconds, restingMb, peakMb: peakBytes / megabyte, liveMb };
}

/** Exports every campaign and raises each bid in the file by ten percent. */
async function editedFile(handlers: Core['handlers'], cids: number[]): Promise<string> {
  await handlers['bulk.start']({ cids });
  await untilRead(handlers);
  const parts: string[] = [];
  for (let offset: number | null = 0; offset !== null;) {
    const part: AppOutput<'bulk.exportPart'> = await handlers['bulk.exportPart']({
      fields: ['payout'],
      offset,
    });
    parts.push(part.text);
    offset = part.next;
  }
  return parts.join('').replaceAll(/^(\d+),([\d.]+)/gm, (_, cid: string, bid: string) => {
    return `${cid},${(Number(bid) * 1.1).toFixed(3)}`;
  });
}

async function allCids(handlers: Core['handlers']): Promise<number[]> {
  const filter = { query: '', status: null, types: [], sort: 'cid' as const, order: 'asc' as const };
  const cids: number[] = [];
  for (let page = 1, total = Infinity; cids.length < total; page += 1) {
    const { rows, ...found } = await handlers['campaigns.page']({ filter, page, perPage: 200 });
    cids.push(...rows.map(({ cid }) => cid));
    total = found.total;
  }
  return cids;
}

async function untilRead(handlers: Core['handlers']): Promise<void> {
  while ((await handlers['bulk.state']({})).isReading) await pause();
}

function pause(): Promise<void> {
  return new Promise((next) => setTimeout(next, lookEveryMs));
}

function secondsSince(startedAt: number): number {
  return (systemClock.monotonicMs() - startedAt) / 1_000;
}
