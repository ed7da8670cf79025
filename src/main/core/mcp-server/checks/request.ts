import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { requireJsonType } from '#core/platform/loopback/requests.ts';
import { AppError } from '#shared/errors/index.ts';
import { callerOf, type Check } from '../exchange.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

/** Finds the caller before the body is read (contract §5.3). */
export const authenticateCaller: Check = async (exchange, { options }) => {
  exchange.principal = await options.authenticate(exchange.request);
};

/** A message is JSON and says so (contract §4.3). Fails with `unsupported_media_type`. */
export const checkJsonType: Check = ({ request }) => requireJsonType(request);

/** The form that the contract gives; most clients send exactly this. */
const usual = 'application/json, text/event-stream';

/** Requires that the sender of a message accepts either kind of answer (MCP, Streamable HTTP; contract §4.3). Fails with `not_acceptable`. */
export const checkAcceptsBoth: Check = ({ request }) => {
  if (request.headers.accept === usual) return;
  requireAccepted(request.headers.accept, ['application/json', 'text/event-stream']);
};

/** Requires that a listener accepts a stream. Fails with `not_acceptable`. */
export const checkAcceptsStream: Check = ({ request }) => {
  requireAccepted(request.headers.accept, ['text/event-stream']);
};

function requireAccepted(accept: string | undefined, types: readonly string[]): void {
  const accepted = new Set((accept ?? '').split(',').map(mediaTypeOf));
  if (types.every((type) => accepted.has(type))) return;
  throw new AppError('not_acceptable', {
    message: sentence`Accept must name ${ownWords(types.join(' and '))}.`,
  });
}

/** Without its parameters; empty for what `q=0` rules out (RFC 9110 §12.5.1). */
function mediaTypeOf(range: string): string {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  return parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? '' : type;
}

/**
 * A request of a session names a version that is spoken here, or none (MCP, Protocol Version Header). Before there is a
 * session the version is negotiated in the message. Fails with `bad_request`.
 */
export const checkProtocolVersion: Check = ({ request }) => {
  const version = request.headers['mcp-protocol-version'];
  if (version === undefined || request.headers['mcp-session-id'] === undefined) return;
  if (SUPPORTED_PROTOCOL_VERSIONS.includes(String(version))) return;
  const spoken = SUPPORTED_PROTOCOL_VERSIONS.join(', ');
  throw new AppError('bad_request', {
    message: sentence`Unsupported protocol version. Spoken here: ${ownWords(spoken)}.`,
  });
};

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

/** Requires that a stream is resumed after an event that is kept (MCP, Resumability). Fails with `bad_request`. */
export const checkLastEvent: Check = ({ request, session }) => {
  const id = request.headers['last-event-id'];
  if (id === undefined || session === null || session.canResumeAfter(String(id))) return;
  throw new AppError('bad_request', { message: 'This event is not kept. Open a new stream.' });
};
