import { AppError } from '#shared/errors/index.ts';
import type { Check } from '../exchange.ts';
import { readMessage } from '../message.ts';

/** One JSON-RPC message, or a batch of some. Fails with `bad_input`. */
export const readMessages: Check = (exchange, { limits }) => {
  const { value } = exchange;
  exchange.isBatch = Array.isArray(value);
  const values = Array.isArray(value) ? value : [value];
  if (values.length === 0 || values.length > limits.maxBatch) {
    throw new AppError('bad_input', { message: `A batch has 1 to ${limits.maxBatch} messages.` });
  }
  exchange.messages = values.map(readMessage);
};
