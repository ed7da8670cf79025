import { get } from 'node:http';

/** The results of `/health` during the watch. */
export interface HealthWatch {
  asked: number;
  /** Requests without an answer, or with a status other than 200. */
  failed: number;
  slowestMs: number;
}

/** Requests `/health` in a loop, one request at a time, until the returned function is called. */
export function watchHealth(port: number): () => Promise<HealthWatch> {
  const watch: HealthWatch = { asked: 0, failed: 0, slowestMs: 0 };
  const over = new AbortController();
  const ask = (): Promise<boolean> =>
    new Promise((resolve) => {
      const request = get({ port, host: '127.0.0.1', path: '/health', agent: false }, (answer) => {
        answer.resume();
        answer.on('close', () => resolve(answer.statusCode === 200));
      });
      request.on('error', () => resolve(false));
    });
  const ended = (async () => {
    while (!over.signal.aborted) {
      const beganAtMs = performance.now();
      const isWell = await ask();
      watch.asked += 1;
      watch.failed += isWell ? 0 : 1;
      watch.slowestMs = Math.max(watch.slowestMs, performance.now() - beganAtMs);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  return async () => {
    over.abort();
    await ended;
    return watch;
  };
}
