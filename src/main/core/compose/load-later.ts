import { loadMcpServer } from '../mcp-server/index.ts';
import { loadAuthorizationServer } from '../oauth-server/index.ts';
import type { Clock } from '../platform/clock.ts';
import { loadProtocols } from '../service-client/index.ts';

/** Pause after each library, in milliseconds, so that waiting requests are answered. */
const pauseMs = 250;

/** Loads one by one the libraries that a start does not need, after `quietMs`. Returns a function that cancels the loading. */
export function loadLater({ after }: Clock, quietMs: number): () => void {
  const loads = [loadMcpServer, loadAuthorizationServer, loadProtocols];
  let isEnded = false;
  let cancel = after(quietMs, loadNext);
  function loadNext(): void {
    void loads
      .shift()?.()
      .then(() => {
        if (!isEnded) cancel = after(pauseMs, loadNext);
      });
  }
  return () => {
    isEnded = true;
    cancel();
  };
}
