import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Endpoint } from './request.ts';

/**
 * A lower bound for the remote tools: the SDK's own server and transport with sessions on node:http, and one tool that
 * returns the result in the file. It has no sign-in, no checks and no database. Prints an Endpoint as JSON; ends with its
 * process.
 */
const result = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as CallToolResult;
const transports = new Map<string, StreamableHTTPServerTransport>();

async function begin(): Promise<StreamableHTTPServerTransport> {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void transports.set(id, transport),
  });
  const server = new Server({ name: 'minimal', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler(CallToolRequestSchema, () => result);
  await server.connect(transport);
  return transport;
}

const listener = createServer((request, response) => {
  const known = transports.get(String(request.headers['mcp-session-id']));
  void Promise.resolve(known ?? begin()).then((transport) => transport.handleRequest(request, response));
});
listener.listen(0, '127.0.0.1', () => {
  const endpoint: Endpoint = { port: (listener.address() as AddressInfo).port, token: 'none' };
  process.stdout.write(`${JSON.stringify(endpoint)}\n`);
});
