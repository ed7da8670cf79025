import type { CoreMessage } from '#shared/host-api/index.ts';

/** Asks the host to open addresses in the system's browser. */
export interface LinkOpener {
  /** Resolves to whether a browser was handed the address; false when the host does not say so in time. */
  open(address: string): Promise<boolean>;
  /** Takes the host's answer. */
  opened(id: number, opened: boolean): void;
}

/** A host that says nothing for so long has opened nothing, in milliseconds. */
const answerLimitMs = 10_000;

export function createLinkOpener(send: (message: CoreMessage) => void): LinkOpener {
  const waiting = new Map<number, (opened: boolean) => void>();
  let lastId = 0;
  return {
    open(address) {
      const id = ++lastId;
      return new Promise((resolve) => {
        const timer = setTimeout(() => end(false), answerLimitMs);
        timer.unref();
        const end = (opened: boolean): void => {
          clearTimeout(timer);
          waiting.delete(id);
          resolve(opened);
        };
        waiting.set(id, end);
        send({ kind: 'open', id, address });
      });
    },
    opened: (id, opened) => waiting.get(id)?.(opened),
  };
}
