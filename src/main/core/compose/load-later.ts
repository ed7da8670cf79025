import { loadMcpServer } from '../mcp-server/index.ts';
import { loadAuthorizationServer } from '../oauth-server/index.ts';
import type { Clock } from '../platform/clock.ts';
import { loadRemoteTools } from '../service-client/index.ts';

/** Pause after each library, in which what waits is answered, in milliseconds. */
const pauseMs = 250;

/**
 * Loads, so many milliseconds from now, the libraries that no start waits for, before the first agent or the first remote call needs
 * them: each takes a turn of up to 100 ms. The returned function ends it.
 */
export function loadLater({ after }: Clock, quietMs: number): () => void {
  const loads = [loadMcpServer, loadAuthorizationServer, loadRemoteTools];
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
