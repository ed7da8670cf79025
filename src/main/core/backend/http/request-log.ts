import type { IncomingMessage, ServerResponse } from 'node:http';

/** One request that reached the service: no credentials, no query. */
export interface LoggedRequest {
  method: string;
  path: string;
  /** 0 when the connection was cut before an answer. */
  status: number;
}

/** The latest requests, in the order in which their answers began. */
export interface RequestLog {
  entries(): LoggedRequest[];
  /**
   * Logs the request as soon as its answer begins, for every handler, or when its connection ends without one. The
   * returned function reports that an answer that was begun is never sent.
   */
  watch(request: IncomingMessage, response: ServerResponse): () => void;
}

const maxEntries = 10_000;

/** The path without its query. */
export function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

/** Keeps the latest requests in memory. */
export function createRequestLog(): RequestLog {
  let entries: LoggedRequest[] = [];
  const add = (entry: LoggedRequest): void => {
    if (entries.length >= 2 * maxEntries) entries = entries.slice(-maxEntries);
    entries.push(entry);
  };
  return {
    entries: () => entries.slice(-maxEntries),
    watch(request, response) {
      const { writeHead } = response;
      let entry: LoggedRequest | undefined;
      const note = (status: number): void => {
        if (entry !== undefined) return;
        entry = { method: request.method ?? '', path: pathOf(request.url ?? ''), status };
        add(entry);
      };
      // Every way to begin an answer ends here, Node's own implicit one included.
      response.writeHead = (...args: unknown[]) => {
        Reflect.apply(writeHead, response, args);
        note(response.statusCode);
        return response;
      };
      response.once('close', () => note(0));
      return () => {
        note(0);
        if (entry !== undefined) entry.status = 0;
      };
    },
  };
}
