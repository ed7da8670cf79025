import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import type { IncomingMessage } from 'node:http';
import { AppError } from '#shared/errors/index.ts';
import type { Session } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Principal } from '../surface.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

/** The form that the contract gives; most clients send exactly this. */
const usual = 'application/json, text/event-stream';

/** Requires that the sender of a message accepts either kind of answer (MCP, Streamable HTTP; contract §4.3). Fails with `not_acceptable`. */
export function checkAcceptsBoth({ headers: { accept } }: IncomingMessage): void {
  if (accept !== usual) requireAccepted(accept, ['application/json', 'text/event-stream']);
}

/** Requires that a listener accepts a stream. Fails with `not_acceptable`. */
export function checkAcceptsStream({ headers: { accept } }: IncomingMessage): void {
  requireAccepted(accept, ['text/event-stream']);
}

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
export function checkProtocolVersion({ headers }: IncomingMessage): void {
  const version = headers['mcp-protocol-version'];
  if (version === undefined || headers['mcp-session-id'] === undefined) return;
  if (SUPPORTED_PROTOCOL_VERSIONS.includes(String(version))) return;
  const spoken = SUPPORTED_PROTOCOL_VERSIONS.join(', ');
  throw new AppError('bad_request', {
    message: sentence`Unsupported protocol version. Spoken here: ${ownWords(spoken)}.`,
  });
}

/** The session that the header names, or null; another principal's is as unknown as none. Fails with `session_unknown`. */
export function findNamedSession<P extends Principal>(
  { headers }: IncomingMessage,
  principal: P,
  sessions: Sessions<P>,
): Session<P> | null {
  const id = headers['mcp-session-id'];
  return id === undefined ? null : sessions.use(String(id), principal);
}

/** The session that the header has to name. Fails with `bad_request` or `session_unknown`. */
export function requireSession<P extends Principal>(
  request: IncomingMessage,
  principal: P,
  sessions: Sessions<P>,
): Session<P> {
  const session = findNamedSession(request, principal, sessions);
  if (session !== null) return session;
  throw new AppError('bad_request', { message: 'The header Mcp-Session-Id is missing.' });
}

/** Requires that a stream is resumed after an event that is kept (MCP, Resumability). Fails with `bad_request`. */
export function checkLastEvent<P extends Principal>({ headers }: IncomingMessage, session: Session<P>): void {
  const id = headers['last-event-id'];
  if (id === undefined || session.canResumeAfter(String(id))) return;
  throw new AppError('bad_request', { message: 'This event is not kept. Open a new stream.' });
}
