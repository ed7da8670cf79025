import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request on its way to the service. Changes of this object reach the service. */
export interface PassingRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Record<string, string>;
  body: string;
}

/** The service's answer on its way back. Changes of this object reach the client. */
export interface PassingAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A single deviation from the service behind the proxy. */
export interface Spoiling {
  request?(request: PassingRequest): void;
  answer?(answer: PassingAnswer, request: PassingRequest): void;
}

/** A proxy before a service that applies one spoiling at a time. The caller disposes it. */
export interface SpoilingProxy {
  origin: string;
  spoil(spoiling: Spoiling): void;
  dispose(): Promise<void>;
}

const passedOn = ['authorization', 'accept', 'content-type', 'mcp-session-id', 'mcp-protocol-version'];

/**
 * Opens the proxy. The service names its own address in its documents and in campaigns' pictures; the proxy replaces it with
 * the proxy's address.
 */
export async function openSpoilingProxy(behind: string): Promise<SpoilingProxy> {
  let spoiling: Spoiling = {};
  let origin = '';
  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const request = await requestOf(incoming);
    if (request.path === '/mcp') request.body = request.body.replaceAll(origin, behind);
    spoiling.request?.(request);
    const answer = await answerTo(request, behind);
    answer.body = answer.body.replaceAll(behind, origin);
    spoiling.answer?.(answer, request);
    outgoing.writeHead(answer.status, answer.headers).end(answer.body);
  }
  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    spoil: (next) => void (spoiling = next),
    dispose: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function requestOf(incoming: IncomingMessage): Promise<PassingRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const url = new URL(incoming.url ?? '/', 'http://proxy');
  const headers = Object.fromEntries(
    passedOn.flatMap((name) => {
      const value = incoming.headers[name];
      return typeof value === 'string' ? [[name, value] as const] : [];
    }),
  );
  const body = Buffer.concat(chunks).toString();
  return { method: incoming.method ?? '', path: url.pathname, query: url.searchParams, headers, body };
}

async function answerTo(request: PassingRequest, behind: string): Promise<PassingAnswer> {
  const { method, path, query, headers, body } = request;
  const address = `${behind}${path}${query.size === 0 ? '' : `?${query.toString()}`}`;
  const answer = await fetch(address, { method, headers, ...(body === '' ? {} : { body }) });
  const session = answer.headers.get('mcp-session-id');
  const challenge = answer.headers.get('www-authenticate');
  const sent = await answer.text();
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
  return {
    status: answer.status,
    headers: {
      'content-type': isStream ? 'application/json' : (answer.headers.get('content-type') ?? 'text/plain'),
      ...(session === null ? {} : { 'mcp-session-id': session }),
      ...(challenge === null ? {} : { 'www-authenticate': challenge }),
    },
    body: isStream ? (/^data: ?(.*)$/m.exec(sent)?.[1] ?? '') : sent,
  };
}
