import { AppError } from '#shared/errors/index.ts';
import { callerOf } from '../exchange.ts';
import type { Check } from '../exchange.ts';

/** The session that the header names; another principal's is as unknown as none. Fails with `session_unknown`. */
export const findNamedSession: Check = (exchange, { sessions }) => {
  const id = exchange.request.headers['mcp-session-id'];
  if (id === undefined) return;
  exchange.session = sessions.use(String(id), callerOf(exchange));
};

/** There is a session. Fails with `bad_request`. */
export const requireSession: Check = ({ session }) => {
  if (session !== null) return;
  throw new AppError('bad_request', { message: 'The header Mcp-Session-Id is missing.' });
};
