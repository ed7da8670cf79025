import { arrivedWord, type CoreMessage } from '#shared/host-api/index.ts';

export interface HostPort {
  /** Sends messages in order. Never throws; drops the message if the host has ended. */
  send(message: CoreMessage): void;
  /** Messages are not trusted to have any shape. Messages that arrive before the first listener are kept for it. */
  onMessage(listener: (message: unknown) => void): void;
  onClose(listener: () => void): void;
}

export interface ProcessPort extends HostPort {
  /** Resolves when the host has received everything sent so far, or cannot receive it. */
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

/** The port of a utilityProcess. Electron kills that process together with the main process, without notice. */
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
    // Electron loses messages that are in transit when the process ends, so the host has to acknowledge their arrival.
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
        // With a callback, a closed channel is reported to the callback instead of thrown.
        process.send?.(message, undefined, undefined, () => resolve());
      });
    },
    onMessage: (listener) => void process.on('message', listener),
    onClose: (listener) => void process.on('disconnect', listener),
    drained: () => last,
  };
}
