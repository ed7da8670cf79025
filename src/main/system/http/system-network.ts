import tls from 'node:tls';
import { isLoopback } from './public-address.ts';

/** One way to a service: at once, or through a proxy that is asked for a tunnel. */
export type Route = 'direct' | Proxy | 'unsupported';

export interface Proxy {
  host: string;
  port: number;
  /** The proxy itself speaks TLS. */
  isSecure: boolean;
}

/** The system's settings of the network, which company networks need (docs/decisions/0050). */
export interface SystemNetwork {
  /** The certificate authorities that the system trusts, as PEM. */
  certificates(): readonly string[];
  /** The proxies for an origin, in the form that a proxy script answers: `PROXY proxy.example:8080; DIRECT`. */
  proxiesFor(origin: string): Promise<string>;
}

const usual: SystemNetwork = {
  certificates: () => tls.getCACertificates('system'),
  proxiesFor: async () => 'DIRECT',
};

/** An answer about proxies counts for so long, in milliseconds: a laptop moves from one network to another. */
const rememberMs = 30_000;

/** Origins that are remembered at most. */
const maxRemembered = 200;

let network: SystemNetwork = usual;
let isTrusted = false;
const remembered = new Map<string, { routes: Promise<readonly Route[]>; atMs: number }>();

/**
 * Sets where the system's settings come from, for every request of this process: they are facts of the machine, as its
 * resolver and its clock are. `dispose` puts the usual ones back: the system's authorities, and no proxy.
 */
export function setSystemNetwork(given: Partial<SystemNetwork>): { dispose(): Promise<void> } {
  const forget = (next: SystemNetwork): void => {
    network = next;
    isTrusted = false;
    remembered.clear();
  };
  forget({ ...usual, ...given });
  return { dispose: async () => forget(usual) };
}

/**
 * The ways to an address, the first one that stands counts. Only https leaves this machine; the loopback is never asked about.
 * Never fails: without an answer about proxies there is none.
 */
export async function routesTo({ protocol, hostname, origin }: URL): Promise<readonly Route[]> {
  if (protocol !== 'https:' || isLoopback(hostname)) return ['direct'];
  const known = remembered.get(origin);
  if (known !== undefined && performance.now() - known.atMs < rememberMs) return known.routes;
  if (remembered.size >= maxRemembered) remembered.clear();
  const routes = network.proxiesFor(origin).then(readProxies, (): readonly Route[] => {
    remembered.delete(origin);
    return ['direct'];
  });
  remembered.set(origin, { routes, atMs: performance.now() });
  return routes;
}

const proxyRule = /^(PROXY|HTTPS?)\s+(\[[\da-f:]+\]|[\w.-]+):(\d{1,5})$/i;

/** Reads the answer of a proxy script. What is no proxy of HTTP (SOCKS, say) is `unsupported`; nothing at all is direct. */
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

/**
 * Trusts the system's certificate authorities beside the built-in ones, once for the process. Asked for late: reading them takes
 * a moment, and a profile of Demo never needs them. A store that cannot be read leaves the built-in ones.
 */
export function trustSystem(): void {
  if (isTrusted) return;
  isTrusted = true;
  try {
    const all = [
      ...tls.getCACertificates('bundled'),
      ...tls.getCACertificates('extra'),
      ...network.certificates(),
    ];
    // A system names many of them several times, and each is read.
    tls.setDefaultCACertificates([...new Set(all)]);
  } catch {
    // A Node before 22.19 cannot do it, either. Services are then checked against the built-in ones, as before.
  }
}
