/** Calls once after the delay; returns the way to cancel. */
export function after(delayMs: number, call: () => void): () => void {
  const timer = setTimeout(() => call(), delayMs);
  return () => clearTimeout(timer);
}
