import type { Connection } from './bridge.ts';

/** How the page stands to its core, and those who want to hear of it: the part that both bridges share. */
export interface WatchedConnection {
  now(): Connection;
  /** Tells the watchers, unless it is of the kind that it was. */
  become(next: Connection): void;
  /** Returns the way to stop. */
  watch(listener: (connection: Connection) => void): () => void;
}

export function watchedConnection(): WatchedConnection {
  const watchers = new Set<(connection: Connection) => void>();
  let connection: Connection = { kind: 'connecting' };
  return {
    now: () => connection,
    become(next) {
      if (next.kind === connection.kind) return;
      connection = next;
      for (const watcher of watchers) watcher(next);
    },
    watch(listener) {
      watchers.add(listener);
      return () => watchers.delete(listener);
    },
  };
}
