import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

/** A server before the gateway that forwards every request and records the calls. */
export interface Recorder {
  url: string;
  /** The method and the revision of MCP of each JSON-RPC call, and the HTTP status of its answer, in order. */
  calls: { method: string; version: string | null; status: number }[];
}

/** Opens a recorder before this address. It ends with the test. */
export async function openRecorder(address: string): Promise<Recorder> {
  const { host, pathname } = new URL(address);
  const recorder: Recorder = { url: '', calls: [] };

  const record = (request: IncomingMessage, body: string, status: number): void => {
    if (body === '') return;
    const { method, params } = JSON.parse(body) as { method: string; params?: JsonObject };
    const version = request.headers['mcp-protocol-version'] ?? params?.['protocolVersion'];
    recorder.calls.push({ method, version: typeof version === 'string' ? version : null, status });
  };

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { method, url, headers } = request;
    const forwarded = send(`http://${host}${url}`, { method, headers: { ...headers, host } });
    forwarded.on('response', (answer) => {
      const { statusCode = 0 } = answer;
      record(request, body, statusCode);
      answer.pipe(response.writeHead(statusCode, answer.headers));
    });
    forwarded.on('error', () => response.destroy());
    response.on('close', () => forwarded.destroy());
    forwarded.end(body);
  }

  const server = createServer((request, response) => {
    forward(request, response).catch((failure: Error) => response.destroy(failure));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  recorder.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`;
  return recorder;
}
