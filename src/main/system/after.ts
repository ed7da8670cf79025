/** The longest delay of a runtime timer in milliseconds; a longer timer would end immediately. */
const maxTimerMs = 2 ** 31 - 1;

/** Calls after at least `delayMs`; the runtime's own timers may end a millisecond early. Returns the cancel function. */
export function after(delayMs: number, call: () => void, { keepsAlive = true } = {}): () => void {
  const endMs = performance.now() + delayMs;
  let timer: NodeJS.Timeout;

  function arm(): void {
    const leftMs = endMs - performance.now();
    timer = setTimeout(look, Math.min(Math.ceil(leftMs), maxTimerMs));
    if (!keepsAlive) timer.unref();
  }

  function look(): void {
    if (performance.now() < endMs) arm();
    else call();
  }

  arm();
  return () => clearTimeout(timer);
}
