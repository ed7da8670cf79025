/** An endpoint of the bench with the token that it takes. */
export interface Endpoint {
  port: number;
  token: string;
}

/** The call that is measured: a page of the campaign list, which begins at `offset`. */
export function callOf(id: number, offset = 0): object {
  const params = { name: 'svc_list_campaigns', arguments: { status: 'active', limit: 20, offset } };
  return { jsonrpc: '2.0', id, method: 'tools/call', params };
}

/** Returns the headers that every request of a session has. */
export function headersOf({ token }: Endpoint, session?: string): Record<string, string> {
  return {
    authorization: `Bearer ${token}`,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    ...(session === undefined ? {} : { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }),
  };
}

/** Opens a session and returns its id. */
export async function openBenchSession(endpoint: Endpoint): Promise<string> {
  const url = `http://127.0.0.1:${endpoint.port}/mcp`;
  const clientInfo = { name: 'bench', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  const answer = await fetch(url, { method: 'POST', headers: headersOf(endpoint), body });
  await answer.text();
  const session = answer.headers.get('mcp-session-id');
  if (session === null) throw new Error(`No session: ${answer.status}`);
  const initialized = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
  await fetch(url, { method: 'POST', headers: headersOf(endpoint, session), body: initialized });
  return session;
}

/** Sends the call once and returns its result. */
export async function askOnce(endpoint: Endpoint, session: string): Promise<object> {
  const url = `http://127.0.0.1:${endpoint.port}/mcp`;
  const headers = headersOf(endpoint, session);
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(callOf(1)) });
  const text = await answer.text();
  const { result } = JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? '{}') as { result?: object };
  if (result === undefined || 'isError' in result) throw new Error(text.slice(0, 300));
  return result;
}

/** Returns a call as the bytes of an HTTP request. */
export function requestOf(
  endpoint: Endpoint,
  session: string,
  { id, offset }: { id: number; offset: number },
): Buffer {
  const body = JSON.stringify(callOf(id, offset));
  const headers = {
    host: `127.0.0.1:${endpoint.port}`,
    'content-length': String(Buffer.byteLength(body)),
    ...headersOf(endpoint, session),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(`POST /mcp HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}
