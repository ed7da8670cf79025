/** A page of training reloads itself whenever a workspace opens or closes, which fails a running evaluation. */
const isReloaded = (failure: unknown): boolean =>
  failure instanceof Error && failure.message.includes('Execution context was destroyed');

/** Evaluates in a page, and repeats the evaluation if the page reloaded itself meanwhile. `ask` must not change anything. */
export async function acrossReloads<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (failure) {
      if (!isReloaded(failure) || tries === 10) throw failure;
    }
  }
}
