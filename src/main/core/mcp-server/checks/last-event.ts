import { AppError } from '#shared/errors/index.ts';
import type { Check } from '../exchange.ts';

/** What a stream is resumed after is an event that is kept (MCP, Resumability). Fails with `bad_request`. */
export const checkLastEvent: Check = ({ request, session }) => {
  const id = request.headers['last-event-id'];
  if (id === undefined || session === null || session.canResumeAfter(String(id))) return;
  throw new AppError('bad_request', { message: 'This event is not kept. Open a new stream.' });
};
