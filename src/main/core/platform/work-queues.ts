/** Runs the work of one key one piece after the other, in the order asked; other keys do not wait for it. */
export type KeyedQueue = <T>(key: string, work: () => Promise<T>) => Promise<T>;

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
export type NextTurn = () => Promise<void>;

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
