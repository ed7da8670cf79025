import { Worker } from 'node:worker_threads';
import type { BulkMessage, BulkWork, BulkWorkKind } from './parse-file.ts';

/** How the work of a worker ended. `part` is the part of the work that was running. */
export type WorkResult<T> = { kind: 'done'; output: T } | { kind: 'too_slow'; part: string };

export interface WorkLimits {
  /** Counted from the start of the work, because a busy machine may need time to start a thread. */
  deadlineMs: number;
  /** Heap limit of the worker thread. An input that exhausts the heap ends the worker, not the core. */
  maxHeapMb: number;
}

/** Runs one task in its own thread, which ends with the task or at the deadline. Exhausted memory counts as `too_slow`. */
export async function runInWorker<K extends BulkWorkKind>(
  kind: K,
  input: BulkWork[K]['input'],
  { deadlineMs, maxHeapMb }: WorkLimits,
): Promise<WorkResult<BulkWork[K]['output']>> {
  const { promise, resolve, reject } = Promise.withResolvers<WorkResult<BulkWork[K]['output']>>();
  const worker = new Worker(workerUrl(), {
    name: 'bulk',
    workerData: { kind, input },
    // Keeps credentials of the shell's environment away from the worker.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  let part = '';
  let timer: NodeJS.Timeout | undefined;
  worker.on('message', (message: BulkMessage) => {
    if (message.kind === 'done')
      return resolve({ kind: 'done', output: message.output as BulkWork[K]['output'] });
    part = message.part;
    timer ??= setTimeout(() => resolve({ kind: 'too_slow', part }), deadlineMs);
  });
  worker.on('error', (cause) => {
    const isExhausted = 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
    if (isExhausted) resolve({ kind: 'too_slow', part });
    else reject(cause);
  });
  worker.on('exit', () => reject(new Error('The bulk worker ended early')));
  const result = await promise.finally(() => clearTimeout(timer));
  await worker.terminate();
  return result;
}

/**
 * The build puts the worker next to the entry file, and other code in `chunks/`. In the sources, the worker is in this
 * folder.
 */
function workerUrl(): URL {
  const moduleUrl = import.meta.url;
  if (moduleUrl.endsWith('.ts')) return new URL('bulk-worker.ts', moduleUrl);
  return new URL(moduleUrl.includes('/chunks/') ? '../bulk-worker.cjs' : 'bulk-worker.cjs', moduleUrl);
}
