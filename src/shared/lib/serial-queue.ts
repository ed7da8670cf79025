/** Runs one piece of work at a time, in the order asked. Resolves or rejects with the work's own result. */
export type SerialQueue = <T>(work: () => Promise<T>) => Promise<T>;

export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    // The next one follows after a failure too, which only the caller gets.
    last = result.catch(() => undefined);
    return result;
  };
}
