import type { CoreMessage } from '#shared/host-api/index.ts';

export interface HostRequests {
  /** Opens an address in the system's browser. Resolves to false if no browser was started or the host does not answer in time. */
  open(address: string): Promise<boolean>;
  /** Finds the system's proxies for an https origin. Fails if the host cannot name any or does not answer in time. */
  findProxy(origin: string): Promise<string>;
  /** Resets the host's own data. Resolves to the new data key; null if it is unchanged or the host does not answer in time. */
  resetHost(): Promise<Buffer | null>;
  opened(id: number, opened: boolean): void;
  proxyFound(id: number, proxies: string | null): void;
  hostReset(id: number, dataKey: string | null): void;
}

const answerLimitMs = 10_000;

/** Longer, because a keychain takes longer to answer; shorter than a start may take. */
const resetLimitMs = 25_000;

export function createHostRequests(send: (message: CoreMessage) => void): HostRequests {
  const opening = createWaiting(false, answerLimitMs);
  const finding = createWaiting<string | null>(null, answerLimitMs);
  const resetting = createWaiting<string | null>(null, resetLimitMs);
  return {
    open: (address) => opening.begin((id) => send({ kind: 'open', id, address })),
    async findProxy(origin) {
      const proxies = await finding.begin((id) => send({ kind: 'findProxy', id, origin }));
      if (proxies === null) throw new Error('The host names no proxies');
      return proxies;
    },
    async resetHost() {
      const dataKey = await resetting.begin((id) => send({ kind: 'resetHost', id }));
      return dataKey === null ? null : Buffer.from(dataKey, 'base64');
    },
    opened: opening.end,
    proxyFound: finding.end,
    hostReset: resetting.end,
  };
}

function createWaiting<T>(
  late: T,
  limitMs: number,
): {
  begin(send: (id: number) => void): Promise<T>;
  end(id: number, answer: T): void;
} {
  const waiting = new Map<number, (answer: T) => void>();
  let lastId = 0;
  return {
    begin(send) {
      const id = ++lastId;
      return new Promise((resolve) => {
        const timer = setTimeout(() => end(late), limitMs);
        timer.unref();
        const end = (answer: T): void => {
          clearTimeout(timer);
          waiting.delete(id);
          resolve(answer);
        };
        waiting.set(id, end);
        send(id);
      });
    },
    end: (id, answer) => waiting.get(id)?.(answer),
  };
}
