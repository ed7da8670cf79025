import type { Logger } from './logger.ts';

export interface EventBus<E> {
  emit(event: E): void;
  subscribe(listener: (event: E) => void): () => void;
}

export function createEventBus<E>(logger: Logger): EventBus<E> {
  const listeners = new Set<(event: E) => void>();
  return {
    emit(event) {
      for (const listener of listeners) {
        try {
          listener(event);
        } catch (failure) {
          logger.error({ failure }, 'A listener of events failed');
        }
      }
    },
    subscribe(listener) {
      // Wraps the listener, so that each subscription of it ends separately.
      const own = (event: E): void => listener(event);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
}
