import { Worker } from 'node:worker_threads';
import type { BulkMessage, BulkWork, BulkWorkKind } from './messages.ts';

/** The way in which work in a worker came to its end. `part` is the one that it had begun with. */
export type WorkResult<T> =
  | { kind: 'done'; output: T }
  | { kind: 'too_slow'; part: string | null }
  | { kind: 'failed'; cause: unknown };

export interface WorkLimits {
  deadlineMs: number;
  /** More than any work within the limits of its input needs: what is built to exhaust memory ends the worker and not the core. */
  maxHeapMb: number;
}

/** Does one piece of work in a thread of its own, which ends with it or at its deadline. */
export async function runInWorker<K extends BulkWorkKind>(
  kind: K,
  input: BulkWork[K]['input'],
  { deadlineMs, maxHeapMb }: WorkLimits,
): Promise<WorkResult<BulkWork[K]['output']>> {
  const { promise, resolve } = Promise.withResolvers<WorkResult<BulkWork[K]['output']>>();
  const worker = new Worker(workerAddress(), {
    name: 'bulk',
    workerData: { kind, input },
    // Credentials that a shell may carry are of no use there.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  let part: string | null = null;
  worker.on('message', (message: BulkMessage) => {
    if (message.kind === 'at') part = message.part;
    else resolve({ kind: 'done', output: message.output as BulkWork[K]['output'] });
  });
  worker.on('error', (cause) => resolve({ kind: 'failed', cause }));
  worker.on('exit', () => resolve({ kind: 'failed', cause: new Error('The worker ended early') }));
  const timer = setTimeout(() => resolve({ kind: 'too_slow', part }), deadlineMs);
  const result = await promise;
  clearTimeout(timer);
  await worker.terminate();
  return result;
}

/**
 * The worker's file beside this one in the sources, and beside the process's entry in the build, whose chunks lie in a folder of their own.
 */
function workerAddress(): URL {
  const here = import.meta.url;
  if (here.endsWith('.ts')) return new URL('bulk-worker.ts', here);
  return new URL(here.includes('/chunks/') ? '../bulk-worker.js' : 'bulk-worker.js', here);
}
