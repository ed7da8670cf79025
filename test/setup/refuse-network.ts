import dns from 'node:dns';
import net from 'node:net';

/** Names and addresses of the loopback interface, the only ones that a test may reach. */
const loopback = new Set(['localhost', '127.0.0.1', '::1', '[::1]']);

/** Throws for any host outside the loopback interface. Unix sockets and pipes have no host and are allowed. */
function assertLoopback(host: unknown): void {
  if (typeof host === 'string' && host !== '' && !loopback.has(host.toLowerCase())) {
    throw new Error(`Tests may not use the network: a connection to ${host} was refused`);
  }
}

/**
 * Returns the host in the arguments of `connect`. `net.connect` passes its arguments as one normalized array; callers of the
 * method pass them directly.
 */
export function hostOf(args: readonly unknown[]): unknown {
  const first: unknown = Array.isArray(args[0]) ? args[0][0] : args[0];
  if (typeof first === 'object' && first !== null) return 'host' in first ? first.host : undefined;
  return typeof first === 'number' ? args[1] : undefined;
}

/** Marks what this guard has already wrapped, because files that share a worker each run this file. */
const isGuarded = Symbol.for('countersign.tests.loopback-only');

if (!Object.hasOwn(net.Socket.prototype, isGuarded)) refuseNetwork();

function refuseNetwork(): void {
  Object.defineProperty(net.Socket.prototype, isGuarded, { value: true });

  // Every TCP connection of Node (http, https, tls, fetch) uses this method.
  net.Socket.prototype.connect = new Proxy(net.Socket.prototype.connect, {
    apply(connect, socket, args: unknown[]): unknown {
      assertLoopback(hostOf(args));
      return Reflect.apply(connect, socket, args);
    },
  });

  // A DNS lookup alone already sends the name to the network.
  for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6', 'resolveAny'] as const) {
    const refuse = { apply: lookUpLoopbackOnly };
    Object.defineProperty(dns, name, { value: new Proxy(dns[name], refuse) });
    if (name !== 'resolveAny') {
      Object.defineProperty(dns.promises, name, { value: new Proxy(dns.promises[name], refuse) });
    }
  }
}

function lookUpLoopbackOnly(look: (...args: never[]) => unknown, self: unknown, args: unknown[]): unknown {
  assertLoopback(args[0]);
  return Reflect.apply(look, self, args);
}
