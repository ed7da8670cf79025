export interface Listeners<T> {
  /** Returns the unsubscribe function. A listener may be added twice, and each addition is removed separately. */
  add(listener: (value: T) => void): () => void;
  emit(value: T): void;
}

export function createListeners<T>(): Listeners<T> {
  const all = new Set<(value: T) => void>();
  return {
    add(listener) {
      const own = (value: T): void => listener(value);
      all.add(own);
      return () => void all.delete(own);
    },
    emit(value) {
      for (const listener of all) listener(value);
    },
  };
}
