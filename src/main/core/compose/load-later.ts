import { loadMcpServer } from '../mcp-server/index.ts';
import { loadAuthorizationServer } from '../oauth-server/index.ts';
import type { Clock } from '../platform/clock.ts';
import { loadProtocols } from '../service-client/index.ts';

/** Pause after each library, in milliseconds, so that waiting requests are answered. */
const pauseMs = 250;

/** Loads one by one the libraries that a start does not need, after `quietMs`. Returns a function that cancels the loading. */
export function preloadLibraries({ after }: Clock, quietMs: number): () => void {
  const loaders = [loadMcpServer, loadAuthorizationServer, loadProtocols];
  let isCancelled = false;
  let cancel = after(quietMs, loadNext);
  function loadNext(): void {
    void loaders
      .shift()?.()
      .then(() => {
        if (!isCancelled) cancel = after(pauseMs, loadNext);
      });
  }
  return () => {
    isCancelled = true;
    cancel();
  };
}
