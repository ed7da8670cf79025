import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parentPort } from 'node:worker_threads';

// A thread that does nothing: the longest delay of its event loop is what other programs took. Posts it when asked.
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
parentPort?.once('message', () => {
  parentPort?.postMessage(delay.max / 1e6);
  parentPort?.close();
});
