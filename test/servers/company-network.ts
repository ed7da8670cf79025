import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { makeAuthority, type PrivateAuthority } from './private-authority.ts';

/**
 * A TLS service on the loopback interface that also has a public name, which is only reachable through a proxy. It ends with
 * the test.
 */
export interface SecureService extends PrivateAuthority {
  port: number;
  /** The origin with the public name. */
  origin: string;
  localOrigin: string;
  /** `METHOD /path` of each request, in order. */
  received: string[];
  /** Sets the answer of all further requests. */
  answerWith(listener: RequestListener): void;
}

export const publicName = 'service.example.com';

export async function startSecureService(): Promise<SecureService> {
  const made = makeAuthority(publicName, 'localhost');
  const received: string[] = [];
  let listener: RequestListener = (_request, response) => void response.end('{}');
  const server = createSecureServer({ key: made.key, cert: made.cert }, (request, response) => {
    received.push(`${request.method ?? ''} ${request.url ?? ''}`);
    listener(request, response);
  });
  const port = await listen(server);
  return {
    ...made,
    port,
    origin: `https://${publicName}:${port}`,
    localOrigin: `https://localhost:${port}`,
    received,
    answerWith: (next) => void (listener = next),
  };
}

/** A proxy whose tunnels always lead to this machine, whatever host is requested. It ends with the test. */
export interface TunnelProxy {
  port: number;
  /** The proxy in the syntax of a proxy script. */
  rule: string;
  /** Targets that were requested, in order. */
  asked: string[];
  /** Everything that a client sent outside of its tunnels. */
  heard: string;
  /** Refuses further requests with this status; null opens tunnels again. */
  refuseWith(status: number | null): void;
  /** Closes every tunnel now. `cutAtOnce` closes each further tunnel as soon as it is open. */
  cut(): void;
  cutAtOnce(): void;
  /** Answers no further request. */
  fallSilent(): void;
  stop(): Promise<void>;
}

/** Starts a proxy. With a certificate, the proxy itself uses TLS. */
export async function startTunnelProxy(secure?: PrivateAuthority): Promise<TunnelProxy> {
  const sockets = new Set<Socket>();
  let status: number | null = null;
  let endsAtOnce = false;
  let isSilent = false;
  const server = secure === undefined ? createServer() : createSecureServer(secure);
  server.on('request', (_request, response) => void response.writeHead(400).end());
  server.on('connect', (request: IncomingMessage, client: Socket) => {
    proxy.asked.push(request.url ?? '');
    proxy.heard += `${request.rawHeaders.join(' ')}\n`;
    client.on('error', () => {});
    sockets.add(client);
    if (isSilent) return;
    if (status !== null) return void client.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (endsAtOnce) return void client.destroy();
    const upstream = connect(Number(request.url?.split(':').at(-1)), '127.0.0.1');
    upstream.on('error', () => client.destroy());
    sockets.add(upstream);
    client.pipe(upstream).pipe(client);
    client.on('close', () => upstream.destroy());
  });
  const port = await listen(server);
  const proxy: TunnelProxy = {
    port,
    rule: `${secure === undefined ? 'PROXY' : 'HTTPS'} localhost:${port}`,
    asked: [],
    heard: '',
    refuseWith: (next) => void (status = next),
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    cutAtOnce: () => void (endsAtOnce = true),
    fallSilent: () => void (isSilent = true),
    stop: () => stop(server),
  };
  onTestFinished(() => proxy.cut());
  return proxy;
}

async function listen(server: Server & { closeAllConnections(): void }): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => stop(server));
  return (server.address() as AddressInfo).port;
}

async function stop(server: Server & { closeAllConnections(): void }): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
