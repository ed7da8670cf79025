/** Reads of one service that are under way at once when many campaigns are read. */
export const concurrentReads = 4;

/** Maps in order with at most `limit` under way; the first failure stops those that have not begun. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  limit: number,
  map: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const entries = items.entries();
  let failed = false;

  async function work(): Promise<void> {
    for (const [index, item] of entries) {
      if (failed) return;
      try {
        results[index] = await map(item);
      } catch (failure) {
        failed = true;
        throw failure;
      }
    }
  }

  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  return results;
}
