import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { ServiceAddresses } from '#shared/app-api/index.ts';

/** A request as it arrived at the broken service. */
export interface BrokenRequest {
  method: string;
  /** The path without its query. */
  path: string;
  url: string;
  authorization: string | undefined;
  /** The header `mcp-method`, which revision 2026-07-28 of MCP requires. */
  mcpMethod: string | undefined;
}

/** An answer before it is sent. Changes of this object are sent. */
export interface BrokenAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

export interface Breakage {
  /** Replaces the answer of the service behind; null forwards the request, `silence` never answers. */
  instead?(request: BrokenRequest): BrokenAnswer | 'silence' | null;
  /** Changes the answer of the service behind. Event streams are forwarded unchanged. */
  change?(answer: BrokenAnswer, request: BrokenRequest): void;
  /** The Host header for the service behind. Defaults to the service's own host. */
  host?: string;
}

/** A proxy before an intact service, with a single fault. Answers name the proxy's own address. It ends with its test. */
export interface BrokenService {
  addresses: ServiceAddresses;
  received: BrokenRequest[];
}

/** Starts the proxy before the service on this port of the loopback interface. */
export async function startBrokenService(port: number, breakage: Breakage): Promise<BrokenService> {
  const received: BrokenRequest[] = [];
  const behind = `http://127.0.0.1:${port}`;
  let origin = '';
  const server = createServer((request, response) => {
    const url = request.url ?? '';
    const path = url.split('?')[0] ?? '';
    const { authorization } = request.headers;
    const mcpMethod = request.headers['mcp-method']?.toString();
    const asked = { method: request.method ?? '', path, url, authorization, mcpMethod };
    received.push(asked);
    const instead = breakage.instead?.(asked) ?? null;
    if (instead === 'silence') return;
    if (instead !== null) send(response, instead);
    else pass(request, response, { port, host: breakage.host, asked, change });
  });

  function change(answer: BrokenAnswer, asked: BrokenRequest): void {
    answer.body = answer.body.replaceAll(behind, origin);
    breakage.change?.(answer, asked);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { addresses: { baseUrl: `${origin}/api/v1`, apiUrl: origin, mcpUrl: origin }, received };
}

interface Passing {
  port: number;
  host: string | undefined;
  asked: BrokenRequest;
  change(answer: BrokenAnswer, asked: BrokenRequest): void;
}

function pass(
  request: IncomingMessage,
  response: ServerResponse,
  { port, asked, change, ...to }: Passing,
): void {
  const host = to.host ?? `127.0.0.1:${port}`;
  const headers = { ...request.headers, host };
  const onward = forward(
    { host: '127.0.0.1', port, path: asked.url, method: asked.method, headers },
    (answer) => {
      if (/event-stream/.test(answer.headers['content-type'] ?? '')) {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
        return;
      }
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const status = answer.statusCode ?? 500;
        const whole = { status, headers: { ...answer.headers }, body: Buffer.concat(chunks).toString() };
        change(whole, asked);
        send(response, whole);
      });
    },
  );
  onward.on('error', () => response.destroy());
  response.on('close', () => onward.destroy());
  request.pipe(onward);
}

function send(response: ServerResponse, { status, headers, body }: BrokenAnswer): void {
  const { 'content-length': _length, 'transfer-encoding': _coding, ...rest } = headers;
  for (const [name, value] of Object.entries(rest)) if (value !== undefined) response.setHeader(name, value);
  response.statusCode = status;
  response.end(status === 204 || status === 202 ? undefined : body);
}

/** Makes a JSON answer. */
export function jsonAnswer(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): BrokenAnswer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}
