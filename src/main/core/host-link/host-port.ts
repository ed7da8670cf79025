import { arrivedWord, type CoreMessage } from '#shared/host-api/index.ts';

export interface HostPort {
  /** Hands the message over in the order sent. Never throws: where the host is gone, it is dropped. */
  send(message: CoreMessage): void;
  /** A message is not trusted to have any shape. Earlier ones are kept until the first listener. */
  onMessage(listener: (message: unknown) => void): void;
  onClose(listener: () => void): void;
}

export interface ProcessPort extends HostPort {
  /** Resolves when everything sent so far has left the process for good, or cannot. */
  drained(): Promise<void>;
}

export interface ElectronParentPort {
  postMessage(message: CoreMessage | typeof arrivedWord): void;
  on(event: 'message', listener: (event: { data: unknown }) => void): unknown;
}

const arrivedLimitMs = 2_000;

export function findHostPort(): ProcessPort | null {
  const { parentPort } = process as NodeJS.Process & { parentPort?: ElectronParentPort };
  if (parentPort !== undefined) return portOfElectron(parentPort);
  return process.send === undefined ? null : portOfFork();
}

/** The port of a utilityProcess, which Electron kills together with the main process, without notice. */
export function portOfElectron(parentPort: ElectronParentPort): ProcessPort {
  const waiting: (() => void)[] = [];
  return {
    send: (message) => parentPort.postMessage(message),
    onMessage(listener) {
      parentPort.on('message', ({ data }) => {
        if (data === arrivedWord) waiting.shift()?.();
        else listener(data);
      });
    },
    onClose() {},
    // Electron loses what is on its way when the process ends, so the host has to say that it has it.
    drained: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        parentPort.postMessage(arrivedWord);
        setTimeout(resolve, arrivedLimitMs);
      }),
  };
}

function portOfFork(): ProcessPort {
  let last = Promise.resolve();
  return {
    send(message) {
      last = new Promise((resolve) => {
        // With a callback a closed channel is reported there and does not throw.
        process.send?.(message, undefined, undefined, () => resolve());
      });
    },
    onMessage: (listener) => void process.on('message', listener),
    onClose: (listener) => void process.on('disconnect', listener),
    drained: () => last,
  };
}
