import { AppError } from '#shared/errors/index.ts';
import type { Check } from '../exchange.ts';

/** Batches were part of the protocol until 2025-03-26; later sessions have none. Fails with `bad_input`. */
export const checkBatch: Check = ({ isBatch, session }) => {
  if (!isBatch || session === null || session.protocolVersion <= lastVersionWithBatches) return;
  throw new AppError('bad_input', { message: 'This version of the protocol has no batches.' });
};

const lastVersionWithBatches = '2025-03-26';
