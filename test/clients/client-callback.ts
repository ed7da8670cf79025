import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';

/**
 * Serves a client's callback, which answers every browser with this page. Registers its own hooks: call it once at the top
 * level of a test file.
 */
export function serveClientCallback(page: string): { redirectUri(): string } {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(page);
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return { redirectUri: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback` };
}
