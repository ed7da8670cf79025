import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { AppError } from '#shared/errors/index.ts';
import type { Check } from '../exchange.ts';

/**
 * A request of a session names a version that is spoken here, or none (MCP, Protocol Version Header). Before there is a
 * session the version is negotiated in the message. Fails with `bad_request`.
 */
export const checkProtocolVersion: Check = ({ request }) => {
  const version = request.headers['mcp-protocol-version'];
  if (version === undefined || request.headers['mcp-session-id'] === undefined) return;
  if (SUPPORTED_PROTOCOL_VERSIONS.includes(String(version))) return;
  const spoken = SUPPORTED_PROTOCOL_VERSIONS.join(', ');
  throw new AppError('bad_request', { message: `Unsupported protocol version. Spoken here: ${spoken}.` });
};
