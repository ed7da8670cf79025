import { request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest, type RequestOptions } from 'node:https';
import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { attempts, coded, connectMs, failureCodes } from './failure-codes.ts';
import type { Proxy, Route } from './system-network.ts';

/** An idle connection is kept for so long, in milliseconds, as Node's own agent does. */
const idleMs = 5_000;

type Connected = (failure: Error | null, socket: Duplex) => void;

/**
 * Connects through the first proxy that answers: it is asked for a tunnel (CONNECT), and TLS is spoken with the service inside of
 * it, so that the proxy sees the service's name and nothing else, and a request is written only after the certificate of the
 * service was checked. A proxy that refuses is not passed by; one that is not there is.
 */
class TunnelAgent extends Agent {
  readonly #routes: readonly Route[];

  constructor(routes: readonly Route[], keepAlive: boolean) {
    super(keepAlive ? { keepAlive, scheduling: 'lifo', timeout: idleMs } : {});
    this.#routes = routes;
  }

  override createConnection(options: RequestOptions, connected: Connected): undefined {
    void this.#connect(options).then(
      (socket) => connected(null, socket),
      (failure: unknown) => (connected as (failure: unknown) => void)(failure),
    );
  }

  async #connect(options: RequestOptions): Promise<Duplex> {
    let last = coded('The system names no proxy that can be used', failureCodes.proxyUnsupported);
    for (const route of this.#routes) {
      if (route === 'unsupported') continue;
      if (route === 'direct') return this.#overTls(options);
      const tunnel = await tunnelThrough(route, hostAndPort(options));
      if (!(tunnel instanceof Error)) return this.#overTls({ ...options, socket: tunnel });
      last = tunnel;
    }
    throw last;
  }

  #overTls(options: RequestOptions & { socket?: Socket }): Duplex {
    const socket = super.createConnection(options);
    if (socket == null) throw new Error('A connection is a socket');
    return socket;
  }
}

const agents = new Map<string, TunnelAgent>();

/** The agent for these ways. Its connections serve again, unless the request wants one of its own. */
export function tunnelAgent(routes: readonly Route[], ownConnection: boolean): Agent {
  if (ownConnection) return new TunnelAgent(routes, false);
  const key = JSON.stringify(routes);
  const agent = agents.get(key) ?? new TunnelAgent(routes, true);
  agents.set(key, agent);
  return agent;
}

function hostAndPort({ host, port }: RequestOptions): string {
  const name = host ?? '';
  return `${name.includes(':') ? `[${name}]` : name}:${port ?? 443}`;
}

/** The tunnel, or the failure of a proxy that cannot be reached. Fails where the proxy answers and refuses. */
async function tunnelThrough({ host, port, isSecure }: Proxy, target: string): Promise<Socket | Error> {
  const options = {
    host,
    port,
    method: 'CONNECT',
    path: target,
    headers: { host: target },
    agent: false,
    ...attempts,
  };
  // By itself Node would look for the service's name in the certificate of the proxy.
  const request = isSecure
    ? httpsRequest({ ...options, servername: isIP(host) === 0 ? host : '', rejectUnauthorized: true })
    : httpRequest(options);
  const { promise, resolve, reject } = Promise.withResolvers<Socket | Error>();
  const timer = setTimeout(() => request.destroy(new Error('The proxy did not answer in time')), connectMs);
  request.once('error', (cause) => {
    resolve(coded('The proxy cannot be reached', failureCodes.proxyUnreachable, cause));
  });
  request.once('connect', (answer, socket, early) => {
    // In a tunnel the service says nothing before it is asked.
    if (isOpen(answer) && early.length === 0) return resolve(socket);
    socket.destroy();
    reject(refusalOf(answer));
  });
  request.end();
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

const isOpen = ({ statusCode = 0 }: IncomingMessage): boolean => statusCode >= 200 && statusCode < 300;

function refusalOf({ statusCode }: IncomingMessage): Error {
  if (statusCode === 407) return coded('The proxy asks for a sign-in', failureCodes.proxySignIn);
  return coded(`The proxy answered ${statusCode ?? 'nothing'}`, failureCodes.proxyRefused);
}
