import type { PublisherClient } from '#core/service-client/index.ts';
import type { ReportScope, SliceAddress } from '#core/store/report-cache.ts';
import type { ReportState } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { ReportShape } from '../worker/messages.ts';
import { release } from '../tables/table.ts';
import type { RequestBudget } from '../notes/figures.ts';
import type { ReportWorker } from '../worker/report-worker-client.ts';
import { splitInHalf, type SliceRequest } from './plan.ts';

export type Limiter = <T>(work: () => Promise<T>) => Promise<T>;

export function createLimiter(maxConcurrent: number): Limiter {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= maxConcurrent) await new Promise<void>((resolve) => void waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

export type ReadingState = Pick<
  ReportState,
  'state' | 'doneRequests' | 'allRequests' | 'receivedBytes' | 'failure'
>;

export const noReading: ReadingState = {
  state: 'idle',
  doneRequests: 0,
  allRequests: 0,
  receivedBytes: 0,
  failure: null,
};

export interface Reading {
  scope: ReportScope;
  covers(slices: readonly SliceAddress[]): boolean;
  state(): ReadingState;
  failure(): AppError | null;
  /** Stops reading. Rows already read are kept. */
  cancel(): void;
  ended: Promise<void>;
}

export interface ReadingParts {
  worker: ReportWorker;
  client: Pick<PublisherClient, 'open'>;
  limiter: Limiter;
  nextAnswerId(): number;
  nowMs(): number;
  /** Returns false if the profile or its key was replaced since the reading began. */
  isCurrent(): boolean;
  onProgress(): void;
}

const keyOf = ({ grouping, from, to }: SliceAddress): string => `${grouping} ${from} ${to}`;

const blockBytes = 256 * 1024;

/** Backpressure limit: reading from the network pauses while this many blocks are unprocessed. */
const maxUnreadBlocks = 4;

export interface ReadingOrder {
  scope: ReportScope;
  requests: readonly SliceRequest[];
  /**
   * The budget of a background check, in which each request is sent once. Without a budget, the client retries failed requests.
   */
  counted?: RequestBudget;
}

/** Starts reading. Splits a too large request into halves of its days. After a failure, starts no further request. */
export function startReading({ scope, requests, counted }: ReadingOrder, parts: ReadingParts): Reading {
  const { worker, limiter, onProgress } = parts;
  const coveredKeys = new Set(requests.flatMap(({ slices }) => slices.map(keyOf)));
  const abort = new AbortController();
  const state: ReadingState = { ...noReading, state: 'reading', allRequests: requests.length };
  const maxRequests = counted?.max ?? Infinity;
  let sentRequests = 0;
  let firstFailure: AppError | null = null;

  async function read(request: SliceRequest): Promise<void> {
    if (firstFailure !== null || abort.signal.aborted || sentRequests >= maxRequests) return;
    sentRequests += 1;
    counted?.onRequest();
    const once = counted !== undefined;
    try {
      await readRequest({ scope, request, signal: abort.signal, once }, parts, (bytes) => {
        state.receivedBytes += bytes;
        onProgress();
      });
      state.doneRequests += 1;
    } catch (failure) {
      if (abort.signal.aborted) return;
      const halves = isTooLarge(failure) ? splitInHalf(request) : [];
      if (halves.length > 0 && sentRequests + halves.length <= maxRequests) {
        state.allRequests += halves.length - 1;
        for (const half of halves) await read(half);
        return;
      }
      // A bug ends the reading with `internal`, whose message reveals nothing.
      firstFailure ??= failure instanceof AppError ? failure : new AppError('internal', { cause: failure });
    }
    onProgress();
  }

  async function run(): Promise<void> {
    await Promise.all(requests.map((request) => limiter(() => read(request))));
    if (state.doneRequests > 0 && scope.source > 0) {
      await worker.ask('useSource', { scope }).catch(() => undefined);
    }
    if (abort.signal.aborted) state.state = 'cancelled';
    else state.state = firstFailure === null ? 'idle' : 'failed';
    if (!abort.signal.aborted && firstFailure !== null) state.failure = failureView(firstFailure);
    onProgress();
  }

  return {
    scope,
    covers: (slices) => slices.every((slice) => coveredKeys.has(keyOf(slice))),
    state: () => ({ ...state }),
    failure: () => firstFailure,
    cancel: () => abort.abort(),
    ended: run(),
  };
}

const isTooLarge = (failure: unknown): boolean =>
  failure instanceof AppError && failure.code === 'report_too_large';

function failureView({ code, message, next, fields }: AppError): ReportState['failure'] {
  return {
    code,
    message,
    next,
    fields: fields.map(({ field, message: text }) => ({ field, message: text })),
  };
}

interface OneRequest {
  scope: ReportScope;
  request: SliceRequest;
  signal: AbortSignal;
  once: boolean;
}

async function readRequest(
  { scope, request, signal, once }: OneRequest,
  { worker, client, nextAnswerId: nextAnswer, nowMs, isCurrent: isWanted }: ReadingParts,
  received: (bytes: number) => void,
): Promise<void> {
  const { slices, ...address } = request;
  const readAtMs = nowMs();
  const assertCurrent = (): void => {
    signal.throwIfAborted();
    if (!isWanted()) throw new AppError('profile_changed');
  };
  let stream;
  try {
    stream = await client.open(addressOf(scope, address), { signal, once });
  } catch (failure) {
    if (!(failure instanceof AppError) || failure.code !== 'no_data') throw failure;
    assertCurrent();
    await worker.ask('keepEmpty', { scope, slices, readAtMs });
    return;
  }
  const answer = nextAnswer();
  try {
    const pendingReads: Promise<unknown>[] = [worker.ask('beginAnswer', { answer, shape: shapeOf(address) })];
    for await (const bytes of joinBlocks(stream.chunks, received)) {
      const read = worker.ask('readBytes', { answer, bytes }, [bytes.buffer]);
      read.catch(() => undefined);
      pendingReads.push(read);
      if (pendingReads.length >= maxUnreadBlocks) await pendingReads.shift();
    }
    await Promise.all(pendingReads);
    assertCurrent();
    await worker.ask('endAnswer', { answer, scope, slices, readAtMs });
  } catch (failure) {
    await worker.ask('dropAnswer', { answer }).catch(() => undefined);
    throw failure;
  } finally {
    stream.close();
  }
}

async function* joinBlocks(
  chunks: AsyncIterable<Uint8Array>,
  received: (bytes: number) => void,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let block = new Uint8Array(blockBytes);
  let used = 0;
  for await (const chunk of chunks) {
    received(chunk.byteLength);
    for (let from = 0; from < chunk.byteLength;) {
      const part = chunk.subarray(from, from + blockBytes - used);
      block.set(part, used);
      used += part.byteLength;
      from += part.byteLength;
      if (used < blockBytes) continue;
      yield block;
      block = new Uint8Array(blockBytes);
      used = 0;
    }
    if (ownsBuffer(chunk)) release(chunk);
  }
  if (used > 0) yield block.slice(0, used);
}

/** True if the chunk owns its complete buffer, so that releasing the buffer destroys no other data. */
function ownsBuffer(chunk: Uint8Array): chunk is Uint8Array<ArrayBuffer> {
  return chunk.buffer instanceof ArrayBuffer && chunk.buffer.byteLength === chunk.byteLength;
}

function addressOf(
  { report, source }: ReportScope,
  { grouping, from, to }: SliceAddress,
): Parameters<PublisherClient['open']>[0] {
  if (report === 'search') return { kind: 'search', from, to, ...(source > 0 && { sid: source }) };
  return { kind: 'xml', tid: source, from, to, groupBy: grouping === 'feed' ? 'day' : grouping };
}

function shapeOf({ grouping }: SliceAddress): ReportShape {
  return grouping === 'feed' ? { kind: 'search' } : { kind: 'xml', groupBy: grouping };
}
