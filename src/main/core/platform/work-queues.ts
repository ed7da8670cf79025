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

/** Resolves for one caller in each turn of the event loop, in the order asked; at once for the first of a turn. */
type NextTurn = () => Promise<void>;

/** For work that holds the event loop for a moment: however many come at once, everybody else is served in between. */
export function createTurns(): NextTurn {
  const waiting: (() => void)[] = [];
  let isTaken = false;

  function turn(): void {
    const go = waiting.shift();
    isTaken = go !== undefined;
    if (go === undefined) return;
    setImmediate(turn);
    go();
  }

  return async () => {
    if (isTaken) return new Promise((resolve) => void waiting.push(resolve));
    isTaken = true;
    setImmediate(turn);
  };
}

/** Shares one run among all callers of a key while it is under way: a button pressed twice does its work once. */
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

/** Reads of one service that are under way at once when many campaigns are read. */
export const concurrentReads = 4;

/** Maps in order with at most `limit` under way; the first failure stops those that have not begun. */
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
