import type { AppBridge } from '#renderer/api/bridge.ts';
import type { AppEvent } from '#shared/app-api/index.ts';

/** Reads at once where the page is connected, and again at every such event and every new connection. Returns the way to stop. */
export function followEvent(bridge: AppBridge, kind: AppEvent['kind'], read: () => void): () => void {
  const stopEvents = bridge.subscribe((event) => {
    if (event.kind === kind) read();
  });
  const stopConnection = bridge.onConnection((connection) => {
    if (connection.kind === 'connected') read();
  });
  if (bridge.connection().kind === 'connected') read();
  return () => {
    stopEvents();
    stopConnection();
  };
}
