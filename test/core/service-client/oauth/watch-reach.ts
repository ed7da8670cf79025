import { ChildProcess } from 'node:child_process';
import net from 'node:net';
import { onTestFinished } from 'vitest';

/** Connections and programs that this process starts until the test ends. */
export interface Reach {
  /** `host:port` of every connection that was begun. */
  connections: string[];
  /** Every program that was started. */
  programs: string[];
}

export function watchReach(): Reach {
  const reach: Reach = { connections: [], programs: [] };
  const { connect } = net.Socket.prototype;
  const { spawn } = ChildProcess.prototype as unknown as { spawn: (...args: unknown[]) => unknown };
  net.Socket.prototype.connect = new Proxy(connect, {
    apply(target, socket, args: unknown[]): unknown {
      reach.connections.push(targetOf(args));
      return Reflect.apply(target, socket, args);
    },
  });
  Object.assign(ChildProcess.prototype, {
    spawn: new Proxy(spawn, {
      apply(target, child, args: unknown[]): unknown {
        reach.programs.push(JSON.stringify(args));
        return Reflect.apply(target, child, args);
      },
    }),
  });
  onTestFinished(() => {
    net.Socket.prototype.connect = connect;
    Object.assign(ChildProcess.prototype, { spawn });
  });
  return reach;
}

/** `net.connect` passes its options as a normalized array; callers of the method pass them directly. */
function targetOf(args: readonly unknown[]): string {
  const first = (Array.isArray(args[0]) ? args[0][0] : args[0]) as { host?: string; port?: number | string };
  return `${first.host ?? ''}:${first.port ?? ''}`;
}
