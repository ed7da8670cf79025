import type { IncomingMessage } from 'node:http';

/** Every value that the checks have let through, in the words that the SDK's transport looks for. */
const checkedHeaders = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

/**
 * Requests of one session as the SDK's transport reads them, without credentials. A message goes beside its request, parsed, so
 * that one request stands for all of them. The version is always the one that was negotiated: what a stream may carry follows
 * from it, whatever a client says later.
 */
export function createWebRequests(session: {
  id: string;
  protocolVersion: string;
}): (exchange: { request: IncomingMessage }) => Request {
  const headers = {
    ...checkedHeaders,
    'mcp-session-id': session.id,
    'mcp-protocol-version': session.protocolVersion,
  };
  const url = 'http://127.0.0.1/mcp';
  const message = new Request(url, { method: 'POST', headers });
  return ({ request }) => {
    if (request.method === 'POST') return message;
    const lastEventId = request.headers['last-event-id'];
    const resumed = lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) };
    return new Request(url, { method: 'GET', headers: { ...headers, ...resumed } });
  };
}
