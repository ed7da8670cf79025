import { createSerialQueue, type SerialQueue } from '#core/platform/serial-queue.ts';

/** Runs the work of one key at a time, in the order asked; other keys do not wait for it. */
export type KeyedTurns = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export function createKeyedTurns(): KeyedTurns {
  const queues = new Map<string, { queue: SerialQueue; waiting: number }>();
  return async (key, work) => {
    const turn = queues.get(key) ?? { queue: createSerialQueue(), waiting: 0 };
    queues.set(key, turn);
    turn.waiting += 1;
    try {
      return await turn.queue(work);
    } finally {
      turn.waiting -= 1;
      if (turn.waiting === 0) queues.delete(key);
    }
  };
}
