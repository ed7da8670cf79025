/** Runs one task at a time, in the order of the calls. Resolves or rejects with the task's own result. */
export type SerialQueue = <T>(work: () => Promise<T>) => Promise<T>;

export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    // The queue continues after a failure, which only the caller receives.
    last = result.catch(() => undefined);
    return result;
  };
}
