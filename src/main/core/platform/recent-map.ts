/** A map of at most `max` entries that drops the least recently used entry. */
export interface RecentMap<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
  clear(): void;
}

export function createRecentMap<K, V>(max: number): RecentMap<K, V> {
  const entries = new Map<K, V>();

  function set(key: K, value: V): void {
    entries.delete(key);
    entries.set(key, value);
    const [oldest] = entries.keys();
    if (entries.size > max && oldest !== undefined) entries.delete(oldest);
  }

  return {
    get(key) {
      const value = entries.get(key);
      if (value !== undefined) set(key, value);
      return value;
    },
    set,
    clear: () => entries.clear(),
  };
}
