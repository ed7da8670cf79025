import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import { AppError } from '#shared/errors/index.ts';
import type { Check } from '../exchange.ts';

/** A session begins with one `initialize`, alone, and has no other (MCP, Lifecycle). Fails with `bad_request` or `bad_input`. */
export const checkSessionFits: Check = ({ session, messages, isBatch }) => {
  const initialize = messages.find(
    (message) => message.kind === 'request' && message.method === 'initialize',
  );
  if (session !== null) {
    if (initialize !== undefined) throw refusal('This session is initialized already.');
    return;
  }
  if (initialize === undefined) throw refusal('The header Mcp-Session-Id is missing. Initialize first.');
  if (isBatch) throw refusal('`initialize` comes alone.');
  if (!isInitializeRequest(initialize.raw)) {
    throw new AppError('bad_input', { message: 'The params of `initialize` are not in the expected form.' });
  }
};

function refusal(message: string): AppError {
  return new AppError('bad_request', { message });
}
