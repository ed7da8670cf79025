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
      // Its own function each time: the same listener may be added twice and each be ended alone.
      const own = (event: E): void => listener(event);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
}
