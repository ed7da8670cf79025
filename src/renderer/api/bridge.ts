import type { AppEvent, AppInput, AppOutput, AppRequest } from '#shared/app-api/index.ts';
import { AppError, decodeError } from '#shared/errors/index.ts';
import type { HostAnswer, PagePlace } from '#shared/host-api/index.ts';

/** `stopPending`: an emergency stop waits for the core. */
export type Connection =
  | { kind: 'connecting'; stopPending?: true }
  | { kind: 'connected' }
  | { kind: 'lost'; sinceMs: number; stopPending?: true }
  /** The core cannot start, or it ended too often. The page cannot recover without a person. */
  | { kind: 'stopped'; failure: AppError }
  /** The page was opened at an address other than the printed one, or the program was restarted. */
  | { kind: 'signed-out' };

export const isStopPending = (connection: Connection): boolean => 'stopPending' in connection;

export interface AppBridge {
  /** Sends a request to the core. Fails with an `AppError`: the core's own, `core_unreachable`, or `not_signed_in`. */
  call<R extends AppRequest>(name: R, input: AppInput<R>): Promise<AppOutput<R>>;
  /**
   * Calls back with every event. After a lost connection the page has to read everything again, because events may be
   * missing. Returns the unsubscribe function.
   */
  subscribe(listener: (event: AppEvent) => void): () => void;
  connection(): Connection;
  onConnection(listener: (connection: Connection) => void): () => void;
  /** Exchanges the ticket and opens the event stream. Later calls wait for the first. */
  start(): Promise<void>;
}

export function bridgeListeners() {
  const events = new Set<(event: AppEvent) => void>();
  const watchers = new Set<(connection: Connection) => void>();
  let connection: Connection = { kind: 'connecting' };
  return {
    publish: (event: AppEvent): void => events.forEach((hear) => hear(event)),
    become(next: Connection): void {
      if (next.kind === connection.kind && isStopPending(next) === isStopPending(connection)) return;
      connection = next;
      for (const watcher of watchers) watcher(next);
    },
    connection: () => connection,
    subscribe: addTo(events),
    onConnection: addTo(watchers),
  };
}

const addTo =
  <T>(listeners: Set<T>) =>
  (listener: T): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };

/**
 * Returns the output of a host's answer. Fails with the host's failure as an `AppError`, or with `core_unreachable`
 * without an answer.
 */
export async function outputOfHost(asked: Promise<HostAnswer>): Promise<unknown> {
  let answer: HostAnswer;
  try {
    answer = await asked;
  } catch (cause) {
    throw new AppError('core_unreachable', { cause });
  }
  if ('error' in answer) throw decodeError(answer.error);
  return answer.output;
}

/** The host writes the place into the markup before the page runs, so no answer or setting can change it. */
export function placeOfPage(): PagePlace {
  return document.documentElement.dataset['place'] === 'training' ? 'training' : 'work';
}

export const isTraining = (): boolean => placeOfPage() === 'training';
