/** Asks a page once more when it loaded itself anew meanwhile, as it does whenever a workspace opens or closes. */
export async function acrossReloads<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (failure) {
      const isReloaded =
        failure instanceof Error && failure.message.includes('Execution context was destroyed');
      if (!isReloaded || tries === 10) throw failure;
    }
  }
}
