import { parentPort } from 'node:worker_threads';
import { runFuzz } from '#test/core/backend/fuzz/run-fuzz.ts';
import type { FuzzPart } from '#test/core/backend/fuzz/run-fuzz.ts';

/** Runs as a worker, so that building and judging requests does not share the service's event loop. */
parentPort?.on('message', (part: FuzzPart) => {
  void runFuzz(part).then((result) => parentPort?.postMessage(result));
});
