/** Calls once after the delay; returns the function that cancels it. */
export function after(delayMs: number, call: () => void): () => void {
  const timer = setTimeout(() => call(), delayMs);
  return () => clearTimeout(timer);
}
