import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { callOf, headersOf, openBenchSession, type Endpoint } from '../mcp/request.ts';
import { freePort } from '../../../scripts/lib/free-port.ts';

/** Sends the call that is measured and reads its answer. */
export interface Caller {
  call(): Promise<unknown>;
  end(): Promise<void>;
}

/** Calls straight over HTTP, with a minimal client. */
export async function httpCaller(endpoint: Endpoint): Promise<Caller> {
  const session = await openBenchSession(endpoint);
  const url = `http://127.0.0.1:${endpoint.port}/mcp`;
  const headers = headersOf(endpoint, session);
  let id = 0;
  return {
    async call() {
      id += 1;
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(callOf(id)) });
      const text = await answer.text();
      return resultOf(/^data: (.+)$/m.exec(text)?.[1] ?? text);
    },
    async end() {},
  };
}

/** Calls over stdio through mcp-remote, which calls the same endpoint. */
export async function mcpRemoteCaller({ port, token }: Endpoint): Promise<Caller> {
  const home = await mkdtemp(join(tmpdir(), 'countersign-bench-'));
  const child = spawn(
    process.execPath,
    [
      'node_modules/mcp-remote/dist/proxy.js',
      `http://127.0.0.1:${port}/mcp`,
      String(await freePort()),
      '--transport',
      'http-only',
      '--header',
      `Authorization:Bearer ${token}`,
    ],
    {
      env: { ...process.env, HOME: home, MCP_REMOTE_CONFIG_DIR: join(home, 'auth') },
      stdio: ['pipe', 'pipe', 'ignore'],
    },
  );
  const waiting = new Map<unknown, (line: string) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id } = JSON.parse(line) as { id?: unknown };
    waiting.get(id)?.(line);
    waiting.delete(id);
  });
  const say = (message: object): void => void child.stdin.write(`${JSON.stringify(message)}\n`);
  const ask = (message: { id: number; [member: string]: unknown }): Promise<string> =>
    new Promise((resolve) => {
      waiting.set(message.id, resolve);
      say(message);
    });
  const clientInfo = { name: 'bench', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  await ask({ id: 0, jsonrpc: '2.0', method: 'initialize', params });
  say({ jsonrpc: '2.0', method: 'notifications/initialized' });
  let id = 0;
  return {
    async call() {
      id += 1;
      return resultOf(await ask({ id, ...callOf(id) }));
    },
    async end() {
      child.kill();
      await rm(home, { recursive: true, force: true });
    },
  };
}

function resultOf(text: string): unknown {
  const { result } = JSON.parse(text) as { result?: { isError?: boolean } };
  if (result === undefined || result.isError === true) throw new Error(text.slice(0, 300));
  return result;
}
