import type { AppEvent, AppInput, AppOutput, AppRequest } from '#shared/app-api/index.ts';
import { AppError, decodeError } from '#shared/errors/index.ts';
import type { HostAnswer } from '#shared/host-api/index.ts';

export type Connection =
  | { kind: 'connecting' }
  | { kind: 'connected' }
  | { kind: 'lost'; sinceMs: number }
  /** The core cannot start, or ended too often: only a person can go on. */
  | { kind: 'stopped'; failure: AppError }
  /** The page has no valid session: its address was not the printed one, or the program was started anew. */
  | { kind: 'signed-out' };

/** The page's only connection to the core. One implementation per host. */
export interface AppBridge {
  /** Asks the core. Fails with an `AppError`: the core's own, `core_unreachable`, or `not_signed_in`. */
  call<R extends AppRequest>(name: R, input: AppInput<R>): Promise<AppOutput<R>>;
  /** Subscribes to the core's events; after a lost connection, `connected` arrives and everything is to be read again. Returns the unsubscribe function. */
  subscribe(listener: (event: AppEvent) => void): () => void;
  connection(): Connection;
  onConnection(listener: (connection: Connection) => void): () => void;
  /** Exchanges the ticket and opens the event stream, once; a later call waits for the first. */
  start(): Promise<void>;
}

export interface WatchedConnection {
  now(): Connection;
  /** Tells the watchers, unless it is of the kind that it was. */
  become(next: Connection): void;
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

/** Returns the output of an answer. Fails with the host's failure as an `AppError`, or with `core_unreachable` without an answer. */
export async function outputOfHost(asked: Promise<HostAnswer>): Promise<unknown> {
  let answer: HostAnswer;
  try {
    answer = await asked;
  } catch (cause) {
    // The host itself is closing and answers no more.
    throw new AppError('core_unreachable', { cause });
  }
  if ('error' in answer) throw decodeError(answer.error);
  return answer.output;
}
