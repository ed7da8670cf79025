import { monitorEventLoopDelay } from 'node:perf_hooks';

// A process that does nothing: the longest delay of its event loop is what other programs took. Sends it when asked.
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
process.once('message', () => {
  process.send?.(delay.max / 1e6);
  process.disconnect();
});
