/** Runs works of one key one after the other, in the order in which they were asked for; other keys do not wait. */
export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export function createInTurn(): InTurn {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const running = (last.get(key) ?? Promise.resolve()).then(work);
    // The next one waits for the end, whatever the end was.
    const ended = running.catch(() => undefined);
    last.set(key, ended);
    void ended.then(() => {
      if (last.get(key) === ended) last.delete(key);
    });
    return running;
  };
}
