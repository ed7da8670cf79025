import { loadMcpServer } from '../mcp-server/index.ts';
import { loadAuthorizationServer } from '../oauth-server/index.ts';
import type { Clock } from '../platform/clock.ts';
import { loadProtocols } from '../service-client/index.ts';

/** Pause after each library, in milliseconds, so that waiting requests are answered. */
const pauseMs = 250;

/** Loads libraries that a start does not need in sequence, beginning `quietMs` from now. Returns a function that stops this. */
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
