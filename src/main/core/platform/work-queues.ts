type KeyedQueue = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export function createKeyedQueue(): KeyedQueue {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const running = (last.get(key) ?? Promise.resolve()).then(work);
    const ended = running.catch(() => undefined);
    last.set(key, ended);
    void ended.then(() => {
      if (last.get(key) === ended) last.delete(key);
    });
    return running;
  };
}

/**
 * Resolves for one caller per tick of the event loop, in the order of the calls, so that other work runs in between. The first
 * caller of a tick continues immediately.
 */
type NextTick = () => Promise<void>;

/** For work that blocks the event loop for a moment: other requests are served between any two pieces of such work. */
export function createTicks(): NextTick {
  const waiting: (() => void)[] = [];
  let isTaken = false;

  function tick(): void {
    const go = waiting.shift();
    isTaken = go !== undefined;
    if (go === undefined) return;
    setImmediate(tick);
    go();
  }

  return async () => {
    if (isTaken) return new Promise((resolve) => void waiting.push(resolve));
    isTaken = true;
    setImmediate(tick);
  };
}

/** Shares one run among all concurrent callers with the same key, so that a button pressed twice does its work once. */
export function oncePerKey<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
  const underWay = new Map<string, Promise<T>>();
  return (key, work) => {
    const known = underWay.get(key);
    if (known !== undefined) return known;
    const begun = work().finally(() => underWay.delete(key));
    underWay.set(key, begun);
    return begun;
  };
}

/** Maximum number of concurrent reads of one service when many campaigns are read. */
export const concurrentReads = 4;

/** Maps in order with at most `limit` items in progress. After the first failure, no further item is started. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  limit: number,
  map: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const entries = items.entries();
  let failed = false;

  async function work(): Promise<void> {
    for (const [index, item] of entries) {
      if (failed) return;
      try {
        results[index] = await map(item);
      } catch (failure) {
        failed = true;
        throw failure;
      }
    }
  }

  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  return results;
}
