import dns from 'node:dns';
import net from 'node:net';
import { onTestFinished } from 'vitest';
import { hostOf } from '#test/setup/refuse-network.ts';

/** Records, until the test ends, every host that this process connects to or looks up, whether or not that succeeds. */
export function recordConnections(): { hosts(): string[] } {
  const hosts = new Set<string>();
  const before = { connect: net.Socket.prototype.connect, lookup: dns.lookup };
  net.Socket.prototype.connect = new Proxy(before.connect, {
    apply(connect, socket, args: unknown[]): unknown {
      const host = hostOf(args);
      // Without a host Node means the loopback; a pipe has none.
      if (typeof host === 'string') hosts.add(host);
      return Reflect.apply(connect, socket, args);
    },
  });
  const lookup = new Proxy(before.lookup, {
    apply(look, self, args: unknown[]): unknown {
      hosts.add(String(args[0]));
      return Reflect.apply(look, self, args);
    },
  });
  Object.defineProperty(dns, 'lookup', { value: lookup, configurable: true, writable: true });
  onTestFinished(() => {
    net.Socket.prototype.connect = before.connect;
    Object.defineProperty(dns, 'lookup', { value: before.lookup, configurable: true, writable: true });
  });
  return { hosts: () => [...hosts].toSorted() };
}
