import type { FastifyRequest } from 'fastify';

/** One request that reached the service: no credentials, no query. */
export interface LoggedRequest {
  method: string;
  path: string;
  /** 0 when the connection was cut before an answer. */
  status: number;
}

/** The latest requests, in the order of their answers. */
export interface RequestLog {
  entries(): LoggedRequest[];
  note(request: FastifyRequest, status: number): void;
  /** Says that the answer to this request never leaves; goes before its note. */
  cut(request: FastifyRequest): void;
}

const mostEntries = 10_000;

/** The path without its query. */
export function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

/** Keeps the latest requests in memory. */
export function createRequestLog(): RequestLog {
  let entries: LoggedRequest[] = [];
  const cuts = new WeakSet<FastifyRequest>();
  return {
    entries: () => entries.slice(-mostEntries),
    note(request, status) {
      if (entries.length >= 2 * mostEntries) entries = entries.slice(-mostEntries);
      const { method, url } = request;
      entries.push({ method, path: pathOf(url), status: cuts.has(request) ? 0 : status });
    },
    cut: (request) => void cuts.add(request),
  };
}
