import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import { AppError, decodeError } from '#shared/errors/index.ts';
import type { WorkerInput, WorkerMessage, WorkerOutput, WorkerRequestKind, WorkerStart } from './messages.ts';

/** A thread that parses, sums and writes reports, so that the core is never blocked. */
export interface ReportWorker extends AsyncDisposable {
  /**
   * Fails with the request's error, with `report_worker_failed` if the worker ended, or with `shutting_down` after dispose.
   * The next call starts a worker.
   */
  ask<K extends WorkerRequestKind>(
    kind: K,
    input: WorkerInput<K>,
    transfer?: ArrayBuffer[],
  ): Promise<WorkerOutput<K>>;
  warmUp(): void;
  /**
   * Deletes all slices of the profile; with `keyHash`, only those read with another key. Never fails; requests made later run
   * after it.
   */
  forget(profile: string, keyHash?: string): void;
  /** Number of `forget` calls so far. If it grew while an answer was read, the answer must not be cached. */
  forgotten(profile: string): number;
}

export interface ReportWorkerOptions {
  start(): WorkerStart;
  logger: Logger;
  /** For tests with a worker that crashes. */
  address?: URL;
}

/** Limits the heap, so that an answer designed to exhaust memory ends the worker but not the core. */
const maxHeapMb = 1_024;

const closeTimeoutMs = 10_000;

const cacheFileName = 'reports.sqlite';
const maxCacheBytes = 256 * 1024 * 1024;

const warmUpDelayMs = 1_000;

/** Deletes slices of removed profiles and warms up automatically. */
export function createStoredReportWorker({
  folder,
  profiles,
  clock,
  logger,
}: {
  folder: string;
  profiles: { all(): readonly { id: string }[] };
  clock: Clock;
  logger: Logger;
}): ReportWorker {
  const file = join(folder, cacheFileName);
  const worker = createReportWorker({
    start: () => ({ file, maxCacheBytes, profiles: ['demo', ...profiles.all().map(({ id }) => id)] }),
    logger,
  });
  const cancel = clock.after(warmUpDelayMs, () => worker.warmUp());
  return {
    ...worker,
    dispose() {
      cancel();
      return worker.dispose();
    },
  };
}

interface Pending {
  resolve(output: unknown): void;
  reject(failure: AppError): void;
}

export function createReportWorker({
  start,
  logger,
  address = workerAddress(),
}: ReportWorkerOptions): ReportWorker {
  const pending = new Map<number, Pending>();
  let worker: Worker | null = null;
  let lastId = 0;
  let isDisposed = false;

  function receive(message: WorkerMessage): void {
    if (message.kind === 'log') {
      logger[message.level](message.facts, message.text);
      return;
    }
    const waiting = pending.get(message.id);
    pending.delete(message.id);
    if (message.kind === 'answered') waiting?.resolve(message.output);
    else waiting?.reject(decodeError(message.error));
    if (pending.size === 0) worker?.unref();
  }

  function handleExit(of: Worker): void {
    if (worker !== of) return;
    worker = null;
    const failed = [...pending.values()];
    pending.clear();
    for (const { reject } of failed) {
      reject(new AppError(isDisposed ? 'shutting_down' : 'report_worker_failed'));
    }
  }

  function startWorker(): Worker {
    const newWorker = new Worker(address, {
      name: 'reports',
      workerData: start(),
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    });
    newWorker.on('message', receive);
    newWorker.on('error', (failure) => logger.error({ err: failure }, 'The report worker crashed'));
    newWorker.on('exit', () => handleExit(newWorker));
    worker = newWorker;
    return newWorker;
  }

  function hasCache(): boolean {
    const { file } = start();
    return file !== null && existsSync(file);
  }

  const forgottenTimes = new Map<string, number>();
  const forgotten = (profile: string): number => forgottenTimes.get(profile) ?? 0;

  const made: ReportWorker = {
    forgotten,
    warmUp() {
      if (worker === null && !isDisposed && hasCache()) startWorker().unref();
    },
    forget(profile, keyHash) {
      forgottenTimes.set(profile, forgotten(profile) + 1);
      if (worker === null && !hasCache()) return;
      made.ask('forget', { profile, keyHash: keyHash ?? null }).catch((failure: unknown) => {
        logger.warn({ failure, profile }, 'What was read of a profile could not be deleted');
      });
    },
    ask<K extends WorkerRequestKind>(kind: K, input: WorkerInput<K>, transfer: ArrayBuffer[] = []) {
      if (isDisposed) return Promise.reject(new AppError('shutting_down'));
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      lastId += 1;
      pending.set(lastId, { resolve, reject });
      const target = worker ?? startWorker();
      // Keeps the process alive while a request is pending.
      target.ref();
      target.postMessage({ id: lastId, kind, input }, transfer);
      return promise as Promise<WorkerOutput<K>>;
    },
    async dispose() {
      isDisposed = true;
      const ending = worker;
      if (ending === null) return;
      ending.postMessage({ id: 0, kind: 'close', input: null });
      const timer = setTimeout(() => void ending.terminate(), closeTimeoutMs);
      await once(ending, 'exit');
      clearTimeout(timer);
    },
  };
  return made;
}

/**
 * In a build, the worker file is next to the entry file and chunks are in `chunks/`, so the address differs from the sources.
 */
function workerAddress(): URL {
  const here = import.meta.url;
  if (here.endsWith('.ts')) return new URL('report-worker.ts', here);
  return new URL(here.includes('/chunks/') ? '../report-worker.cjs' : 'report-worker.cjs', here);
}
