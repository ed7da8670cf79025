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
