import tls from 'node:tls';
import { isLoopback } from './public-address.ts';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent, type RequestOptions, request as httpsRequest } from 'node:https';
import { type Socket, isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { attempts, coded, connectMs, failureCodes } from './failure-codes.ts';

/** A route to a service. `unsupported`: no HTTP proxy. */
export type Route = 'direct' | Proxy | 'unsupported';

interface Proxy {
  host: string;
  port: number;
  isSecure: boolean;
}

export interface SystemNetwork {
  certificates(): readonly string[];
  /** The proxies for an origin, in the format of proxy scripts: `PROXY proxy.example:8080; DIRECT`. */
  proxiesFor(origin: string): Promise<string>;
}

const usual: SystemNetwork = {
  certificates: () => tls.getCACertificates('system'),
  proxiesFor: async () => 'DIRECT',
};

/** Lifetime of an answer about proxies, in milliseconds: a laptop moves between networks. */
const routesTtlMs = 30_000;

const maxRemembered = 200;

let network: SystemNetwork = usual;
let isTrusted = false;
const remembered = new Map<string, { routes: Promise<readonly Route[]>; atMs: number }>();

/** Sets the source of the system's settings for every request of this process. `dispose` restores the default source. */
export function setSystemNetwork(given: Partial<SystemNetwork>): { dispose(): Promise<void> } {
  const forget = (next: SystemNetwork): void => {
    network = next;
    isTrusted = false;
    remembered.clear();
  };
  forget({ ...usual, ...given });
  return { dispose: async () => forget(usual) };
}

/** True for an address that needs no proxy. Plain http is used on this machine only. */
export function isDirect({ protocol, hostname }: URL): boolean {
  return protocol !== 'https:' || isLoopback(hostname);
}

/** The routes to an address, best first; direct if no proxy is known. Never fails. */
export async function routesTo(url: URL): Promise<readonly Route[]> {
  if (isDirect(url)) return ['direct'];
  const { origin } = url;
  const known = remembered.get(origin);
  if (known !== undefined && performance.now() - known.atMs < routesTtlMs) return known.routes;
  if (remembered.size >= maxRemembered) remembered.clear();
  const routes = network.proxiesFor(origin).then(readProxies, (): readonly Route[] => {
    remembered.delete(origin);
    return ['direct'];
  });
  remembered.set(origin, { routes, atMs: performance.now() });
  return routes;
}

const proxyRule = /^(PROXY|HTTPS?)\s+(\[[\da-f:]+\]|[\w.-]+):(\d{1,5})$/i;

/** Parses the answer of a proxy script. Anything but an HTTP proxy, for example SOCKS, is `unsupported`; an empty answer is direct. */
export function readProxies(text: string): readonly Route[] {
  const rules = text
    .split(';')
    .map((rule) => rule.trim())
    .filter((rule) => rule !== '');
  return rules.length === 0 ? ['direct'] : rules.map(readRule);
}

function readRule(rule: string): Route {
  if (rule.toUpperCase() === 'DIRECT') return 'direct';
  const [, kind = '', host = '', port = ''] = proxyRule.exec(rule) ?? [];
  if (host === '' || Number(port) > 65_535) return 'unsupported';
  return {
    host: host.replace(/[[\]]/g, ''),
    port: Number(port),
    isSecure: kind.toUpperCase() === 'HTTPS',
  };
}

/** Also trusts the system's certificate authorities, once per process. Reading them takes time, so only live services do it. */
export function trustSystem(): void {
  if (isTrusted) return;
  isTrusted = true;
  try {
    const all = [
      ...tls.getCACertificates('bundled'),
      ...tls.getCACertificates('extra'),
      ...network.certificates(),
    ];
    // Systems list many certificates several times, and every listed certificate would be parsed.
    tls.setDefaultCACertificates([...new Set(all)]);
  } catch {
    // Node before 22.19 does not support this. Services are then verified with the built-in authorities only.
  }
}

const idleMs = 5_000;

type Connected = (failure: Error | null, socket: Duplex) => void;

/** Tunnels through the first reachable proxy (CONNECT) and uses TLS with the service inside. A proxy that refuses is not bypassed. */
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

/** The agent for these routes. Its connections are reused, unless the request wants its own connection. */
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
  // By default Node would expect the service's name in the proxy's certificate.
  const request = isSecure
    ? httpsRequest({ ...options, servername: isIP(host) === 0 ? host : '', rejectUnauthorized: true })
    : httpRequest(options);
  const { promise, resolve, reject } = Promise.withResolvers<Socket | Error>();
  const timer = setTimeout(() => request.destroy(new Error('The proxy did not answer in time')), connectMs);
  request.once('error', (cause) => {
    resolve(coded('The proxy cannot be reached', failureCodes.proxyUnreachable, cause));
  });
  request.once('connect', (answer, socket, early) => {
    // A service sends nothing in a tunnel before it is asked, so early bytes come from the proxy.
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
