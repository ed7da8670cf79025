import { AppError } from '#shared/errors/index.ts';
import type { Check } from '../exchange.ts';

/** A session runs so many requests at once. Fails with `quota_exceeded`. */
export const checkRunningCalls: Check = ({ messages, session }, { limits }) => {
  const more = messages.filter(({ kind }) => kind === 'request').length;
  if (more === 0 || session === null || session.running + more <= limits.maxCallsPerSession) return;
  throw new AppError('quota_exceeded', {
    message: `A session runs at most ${limits.maxCallsPerSession} requests at once.`,
    data: { retryAfterSeconds: 1 },
  });
};
