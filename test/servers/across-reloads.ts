/** A page of training that was asked loaded itself anew before it could answer, as it does whenever a workspace opens or closes. */
const isReloaded = (failure: unknown): boolean =>
  failure instanceof Error && failure.message.includes('Execution context was destroyed');

/** Asks a page once more when it loaded itself anew meanwhile. The question changes nothing. */
export async function acrossReloads<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (failure) {
      if (!isReloaded(failure) || tries === 10) throw failure;
    }
  }
}
