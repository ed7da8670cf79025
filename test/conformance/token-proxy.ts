import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AsyncDisposable } from '#core/platform/disposable.ts';

/** An answer of the server that passed the proxy. */
export interface PassedAnswer {
  host: string;
  status: number;
}

export interface TokenProxy extends AsyncDisposable {
  origin: string;
  /** The server's answers, each with the Host header that the client had sent. */
  passed: PassedAnswer[];
}

/**
 * Opens a proxy that adds the token that the suite cannot send, and changes nothing else. A client that names the proxy means
 * the server, so the proxy's Host and Origin become the server's. Any other Host and Origin are passed on unchanged, so that
 * the server refuses them.
 */
export async function openTokenProxy(target: string, token: string): Promise<TokenProxy> {
  const { hostname, port, host: targetHost } = new URL(target);
  const passed: PassedAnswer[] = [];
  let own = '';
  const server = createServer((request, response) => {
    const { host = '', origin } = request.headers;
    const headers = {
      ...request.headers,
      authorization: `Bearer ${token}`,
      host: host === own ? targetHost : host,
      ...(origin === undefined ? {} : { origin: origin === `http://${own}` ? target : origin }),
    };
    const onward = send({ hostname, port, path: request.url, method: request.method, headers }, (answer) => {
      passed.push({ host, status: answer.statusCode ?? 0 });
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  own = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin: `http://${own}`,
    passed,
    async dispose() {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
