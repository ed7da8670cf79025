import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { resourceOf, resourcePath, serverOf, serverPath } from './discovery/document-service.ts';

/** A request as the service received it. */
export interface Asked {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** The body, parsed as a form. */
  form: URLSearchParams;
}

/** Answers one request, or never answers it. */
export type Answering = (response: ServerResponse, asked: Asked) => void;

/** A service with everything that a sign-in needs, over real HTTP. The test controls its answers. It ends with the test. */
export interface AuthorizationService {
  origin: string;
  /** Every request, in order. */
  asked: Asked[];
  /** Returns the requests to one path. */
  askedAt(path: string): Asked[];
  /** Sets another answer for this path. */
  answer(path: string, answering: Answering): void;
  /** The two discovery documents. A test changes them in place. */
  resource: Record<string, unknown>;
  server: Record<string, unknown>;
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Answering {
  return (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
}

export const cut: Answering = (response) => void response.destroy();
export const silence: Answering = () => {};

/** Answers with tokens whose text has the number of the answer. */
export function tokens(changes: Record<string, unknown> = {}): Answering {
  return (response, asked) => json(200, { ...tokensOf('next'), ...changes })(response, asked);
}

/** Returns `access-secret-…` and `refresh-secret-…`, valid for an hour. */
export function tokensOf(word: string): Record<string, unknown> {
  return {
    access_token: `access-secret-${word}`,
    token_type: 'Bearer',
    expires_in: 3600,
    refresh_token: `refresh-secret-${word}`,
    scope: 'svc:read',
  };
}

export async function startAuthorizationService(): Promise<AuthorizationService> {
  const asked: Asked[] = [];
  const routes = new Map<string, Answering>();
  let count = 0;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const [path = ''] = (request.url ?? '').split('?', 1);
    const one = { method: request.method ?? '', path, headers: request.headers, body };
    asked.push({ ...one, form: new URLSearchParams(body) });
    (routes.get(path) ?? json(404, {}))(response, { ...one, form: new URLSearchParams(body) });
  }

  const listening = createServer(
    (request, response) => void handle(request, response).catch(() => undefined),
  );
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    listening.closeAllConnections();
    await new Promise((resolve) => listening.close(resolve));
  });
  const origin = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
  const [resource, server] = [resourceOf(origin), serverOf(origin)];
  routes.set(resourcePath, (response, one) => json(200, resource)(response, one));
  routes.set(serverPath, (response, one) => json(200, server)(response, one));
  routes.set('/register', (response, one) => {
    count += 1;
    const metadata = JSON.parse(one.body) as Record<string, unknown>;
    json(201, { ...metadata, client_id: `client-${count}` })(response, one);
  });
  routes.set('/token', (response, one) => {
    count += 1;
    json(200, tokensOf(String(count)))(response, one);
  });
  routes.set('/revoke', (response) => void response.writeHead(200).end());
  return {
    origin,
    asked,
    askedAt: (path) => asked.filter((one) => one.path === path),
    answer: (path, answering) => void routes.set(path, answering),
    resource,
    server,
  };
}
