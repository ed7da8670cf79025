import { Worker } from 'node:worker_threads';
import type { BulkMessage, BulkWork, BulkWorkKind } from './parse-file.ts';

/** The way in which work in a worker came to its end. `part` is the one that it had begun with. */
export type WorkResult<T> = { kind: 'done'; output: T } | { kind: 'too_slow'; part: string };

export interface WorkLimits {
  /** Counted from the moment at which the work begins: a busy machine may take its time to start a thread. */
  deadlineMs: number;
  /** More than any work within the limits of its input needs: what is built to exhaust memory ends the worker and not the core. */
  maxHeapMb: number;
}

/** Does one piece of work in a thread of its own, which ends with it or at its deadline. Work that exhausts its memory is too slow. */
export async function runInWorker<K extends BulkWorkKind>(
  kind: K,
  input: BulkWork[K]['input'],
  { deadlineMs, maxHeapMb }: WorkLimits,
): Promise<WorkResult<BulkWork[K]['output']>> {
  const { promise, resolve, reject } = Promise.withResolvers<WorkResult<BulkWork[K]['output']>>();
  const worker = new Worker(workerAddress(), {
    name: 'bulk',
    workerData: { kind, input },
    // Credentials that a shell may carry are of no use there.
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

/** Next to this file in the sources; next to the process's entry in the build, whose chunks have a folder of their own. */
function workerAddress(): URL {
  const here = import.meta.url;
  if (here.endsWith('.ts')) return new URL('bulk-worker.ts', here);
  return new URL(here.includes('/chunks/') ? '../bulk-worker.cjs' : 'bulk-worker.cjs', here);
}
