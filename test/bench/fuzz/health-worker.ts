import { parentPort, workerData } from 'node:worker_threads';
import { watchHealth } from '#test/core/backend/fuzz/watch-health.ts';

/** Runs as a worker, so that only the service can delay an answer. Any message ends the watch. */
const end = watchHealth(Number(workerData));
parentPort?.once('message', () => void end().then((watch) => parentPort?.postMessage(watch)));
