/** Those who want to be told of something. */
export interface Listeners<T> {
  /** The returned function ends it. The same listener may be added twice and each be ended alone. */
  add(listener: (value: T) => void): () => void;
  tell(value: T): void;
}

export function createListeners<T>(): Listeners<T> {
  const all = new Set<(value: T) => void>();
  return {
    add(listener) {
      const own = (value: T): void => listener(value);
      all.add(own);
      return () => void all.delete(own);
    },
    tell(value) {
      for (const listener of all) listener(value);
    },
  };
}
