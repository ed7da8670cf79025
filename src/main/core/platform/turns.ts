/** Resolves for one caller in each turn of the event loop, in the order asked. */
export type NextTurn = () => Promise<void>;

/** For work that holds the event loop for a moment: however many come at once, everybody else is served in between. */
export function createTurns(): NextTurn {
  let last: Promise<void> = Promise.resolve();
  return () => {
    last = last.then(() => new Promise((resolve) => void setImmediate(resolve)));
    return last;
  };
}
