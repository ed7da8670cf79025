import dns from 'node:dns';
import net from 'node:net';

/** Names and addresses of this machine's loopback: the only ones that a test may reach. */
const loopback = new Set(['localhost', '127.0.0.1', '::1', '[::1]']);

/** Throws where anything but the loopback is meant. Unix sockets and pipes have no host and pass. */
function assertLoopback(host: unknown): void {
  if (typeof host === 'string' && host !== '' && !loopback.has(host.toLowerCase())) {
    throw new Error(`Tests may not use the network: a connection to ${host} was refused`);
  }
}

/** `net.connect` hands its arguments on as one normalised array; callers of the method pass them bare. */
export function hostOf(args: readonly unknown[]): unknown {
  const first: unknown = Array.isArray(args[0]) ? args[0][0] : args[0];
  if (typeof first === 'object' && first !== null) return 'host' in first ? first.host : undefined;
  return typeof first === 'number' ? args[1] : undefined;
}

/** Set on what stands behind this guard: files that share a worker run this file once each. */
const isGuarded = Symbol.for('countersign.tests.loopback-only');

if (!Object.hasOwn(net.Socket.prototype, isGuarded)) refuseNetwork();

function refuseNetwork(): void {
  Object.defineProperty(net.Socket.prototype, isGuarded, { value: true });

  // Every TCP connection of Node (http, https, tls, fetch) is made by this one method.
  net.Socket.prototype.connect = new Proxy(net.Socket.prototype.connect, {
    apply(connect, socket, args: unknown[]): unknown {
      assertLoopback(hostOf(args));
      return Reflect.apply(connect, socket, args);
    },
  });

  // A name that is only looked up has already left the machine.
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
