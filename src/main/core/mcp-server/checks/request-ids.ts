import { AppError } from '#shared/errors/index.ts';
import type { Check } from '../exchange.ts';

/** An id names one running request: a second one would get the first one's answer. Fails with `bad_input`. */
export const checkRequestIds: Check = ({ messages, session }) => {
  const ids = new Set<unknown>();
  for (const message of messages) {
    if (message.kind !== 'request') continue;
    if (ids.has(message.id) || session?.isRunning(message.id) === true) {
      throw new AppError('bad_input', { message: 'A request with this id is still running.' });
    }
    ids.add(message.id);
  }
};
