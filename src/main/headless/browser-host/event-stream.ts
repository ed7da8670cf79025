import type { ServerResponse } from 'node:http';
import type { AppEvent } from '#shared/app-api/index.ts';

/** How often a quiet stream sends a blank line, so that the page can tell quiet from gone. */
const heartbeatMs = 15_000;

/** A reader that lets this much pile up is gone; its page connects again and reads everything anew. */
const maxUnreadBytes = 1024 * 1024;

export interface EventStreams {
  /** Answers with the core's events, one JSON object per line, until the page goes away. */
  open(response: ServerResponse): void;
  /** Ends every stream. */
  close(): void;
}

export function createEventStreams(
  subscribe: (listener: (event: AppEvent) => void) => () => void,
): EventStreams {
  const open = new Set<ServerResponse>();
  return {
    open(response) {
      response.writeHead(200, { 'content-type': 'application/x-ndjson; charset=utf-8' });
      const send = (line: string): void => {
        // What ends with the host has its say as well, after its pages are gone.
        if (response.writableEnded) return;
        if (response.writableLength > maxUnreadBytes) response.destroy();
        else response.write(`${line}\n`);
      };
      send('');
      const unsubscribe = subscribe((event) => send(JSON.stringify(event)));
      const heartbeat = setInterval(() => send(''), heartbeatMs);
      open.add(response);
      response.once('close', () => {
        clearInterval(heartbeat);
        unsubscribe();
        open.delete(response);
      });
    },
    close() {
      for (const response of open) response.end();
    },
  };
}
