import { AppError, decodeError, type EncodedError } from '#shared/errors/index.ts';
import type { HostMessage } from '#shared/host-api/index.ts';

/** A request to the core without its number. */
export type AskInput = Omit<Extract<HostMessage, { kind: 'ask' }>, 'kind' | 'id'>;

/** The requests whose answers are awaited: sent ones by their number, and those that wait for the core to be ready. */
export interface Asks {
  /** Sends it at once. */
  send(ask: AskInput): Promise<unknown>;
  /** Keeps it until `sendWaiting`. */
  wait(ask: AskInput): Promise<unknown>;
  sendWaiting(): void;
  answered(id: number, output: unknown): void;
  refused(id: number, error: EncodedError): void;
  /** Fails those that were never sent, with `core_unreachable`. */
  refuseWaiting(): void;
  /** Fails everything that is awaited, with `core_unreachable`. */
  refuseAll(): void;
}

interface Awaited {
  ask: AskInput;
  promise: Promise<unknown>;
  resolve(output: unknown): void;
  reject(error: Error): void;
}

/** Numbers are never used twice, so a late answer of an ended core meets no request. */
export function createAsks(post: (message: HostMessage) => void): Asks {
  const sent = new Map<number, Awaited>();
  let waiting: Awaited[] = [];
  let lastId = 0;

  function begin(ask: AskInput): Awaited {
    return { ask, ...Promise.withResolvers<unknown>() };
  }

  function dispatch(awaited: Awaited): Promise<unknown> {
    const id = (lastId += 1);
    sent.set(id, awaited);
    // An absent input would lose its key on the way, and with it the form of the message.
    post({ kind: 'ask', id, ...awaited.ask, input: awaited.ask.input ?? null });
    return awaited.promise;
  }

  function take(id: number): Awaited | undefined {
    const awaited = sent.get(id);
    sent.delete(id);
    return awaited;
  }

  function refuseWaiting(): void {
    const refused = waiting;
    waiting = [];
    for (const { reject } of refused) reject(new AppError('core_unreachable'));
  }

  return {
    send: (ask) => dispatch(begin(ask)),
    wait(ask) {
      const awaited = begin(ask);
      waiting.push(awaited);
      return awaited.promise;
    },
    sendWaiting() {
      const due = waiting;
      waiting = [];
      for (const awaited of due) void dispatch(awaited);
    },
    answered: (id, output) => take(id)?.resolve(output),
    refused: (id, error) => take(id)?.reject(decodeError(error)),
    refuseWaiting,
    refuseAll() {
      refuseWaiting();
      const refused = [...sent.values()];
      sent.clear();
      for (const { reject } of refused) reject(new AppError('core_unreachable'));
    },
  };
}
