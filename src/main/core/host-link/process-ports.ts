import type { CoreMessage } from '#shared/host-api/index.ts';
import type { HostPort } from './host-port.ts';

/** A port of this whole process, which ends when the host has been told. */
export interface ProcessPort extends HostPort {
  /** Resolves when everything sent so far has left the process, or cannot. */
  drained(): Promise<void>;
}

/** `process.parentPort` of a utilityProcess, as far as it is used here. */
export interface ElectronParentPort {
  postMessage(message: CoreMessage): void;
  on(event: 'message', listener: (event: { data: unknown }) => void): unknown;
}

/** Electron does not say when a message has left: its thread gets this long, in milliseconds. */
const electronDrainMs = 50;

/** The port to whoever started this process: Electron, or a Node that forked it. Null when nobody listens. */
export function findHostPort(): ProcessPort | null {
  const { parentPort } = process as NodeJS.Process & { parentPort?: ElectronParentPort };
  if (parentPort !== undefined) return portOfElectron(parentPort);
  return process.send === undefined ? null : portOfFork();
}

/**
 * The port of a utilityProcess. Electron ends that at once with the main process, however this ends, and says nothing
 * before: a write under way is then left to the recovery after a crash.
 */
export function portOfElectron(parentPort: ElectronParentPort): ProcessPort {
  return {
    send: (message) => parentPort.postMessage(message),
    onMessage: (listener) => void parentPort.on('message', ({ data }) => listener(data)),
    onClose() {},
    drained: () => new Promise((resolve) => void setTimeout(resolve, electronDrainMs)),
  };
}

function portOfFork(): ProcessPort {
  let last = Promise.resolve();
  return {
    send(message) {
      last = new Promise((resolve) => {
        // With a callback a closed channel is told there and does not throw.
        process.send?.(message, undefined, undefined, () => resolve());
      });
    },
    onMessage: (listener) => void process.on('message', listener),
    onClose: (listener) => void process.on('disconnect', listener),
    drained: () => last,
  };
}
