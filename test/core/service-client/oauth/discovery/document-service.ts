import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export type Served = (response: ServerResponse) => void;

/** A service with only the discovery documents, over real HTTP on the loopback interface. It ends with the test. */
export interface DocumentService {
  /** The configured origin. */
  origin: string;
  /** Paths that were requested, in order. */
  paths: string[];
  /** Sets another answer for this path; null removes the path. */
  serve(path: string, served: Served | null): void;
  /** The metadata of the resource, served until `serve` replaces it. A test changes it in place. */
  resource: Record<string, unknown>;
  /** The metadata of the authorization server, served like {@link DocumentService.resource}. */
  server: Record<string, unknown>;
}

export const resourcePath = '/.well-known/oauth-protected-resource/mcp';
export const serverPath = '/.well-known/oauth-authorization-server';

export async function startDocumentService(): Promise<DocumentService> {
  const paths: string[] = [];
  const routes = new Map<string, Served>();
  const origin = await listen((request, response) => {
    const path = request.url ?? '';
    paths.push(path);
    (routes.get(path) ?? answer('{}', { status: 404 }))(response);
  });
  const resource = resourceOf(origin);
  const server = serverOf(origin);
  routes.set(resourcePath, (response) => json(resource)(response));
  routes.set(serverPath, (response) => json(server)(response));
  return {
    origin,
    paths,
    resource,
    server,
    serve: (path, served) => void (served === null ? routes.delete(path) : routes.set(path, served)),
  };
}

/** Starts a server that must not be reached, which only counts connections. It ends with the test. */
export async function startForeignServer(): Promise<{ port: number; received: string[] }> {
  const received: string[] = [];
  const origin = await listen((request, response) => {
    received.push(request.url ?? '');
    json({})(response);
  });
  return { port: Number(new URL(origin).port), received };
}

export function resourceOf(origin: string): Record<string, unknown> {
  return {
    resource: `${origin}/mcp`,
    authorization_servers: [origin],
    scopes_supported: ['svc:read', 'svc:write'],
  };
}

export function serverOf(issuer: string): Record<string, unknown> {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    revocation_endpoint: `${issuer}/revoke`,
    scopes_supported: ['svc:read', 'svc:write', 'offline_access'],
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
  };
}

export function json(value: unknown): Served {
  return (response) => answer(JSON.stringify(value))(response);
}

export function answer(
  body: string | Buffer,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): Served {
  return (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}

/** Sends data forever, as fast as the client reads. */
export function endless(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const more = (): void => {
    while (!response.destroyed && response.write(' '.repeat(64 * 1024)));
  };
  response.on('drain', more);
  more();
}

/** Starts an answer and then sends nothing more. */
export function stalled(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' }).write('{');
}

async function listen(handle: RequestListener): Promise<string> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
