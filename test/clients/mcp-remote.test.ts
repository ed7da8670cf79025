import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, onTestFailed, onTestFinished, test } from 'vitest';
import { startBackend } from '#test/core/backend/open-backend.ts';
import type { RunningBackend } from '#test/core/backend/open-backend.ts';
import { freePort } from '../../scripts/lib/free-port.ts';
import { prepareBrowserDesk } from './browser-desk.ts';

let service: RunningBackend;
beforeAll(async () => void (service = await startBackend({ campaigns: 20 })));
afterAll(() => service.dispose());

/** An agent that only knows stdio, with mcp-remote in between. */
async function connectThroughProxy(env: Record<string, string>): Promise<Client> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [
      'node_modules/mcp-remote/dist/proxy.js',
      `http://127.0.0.1:${service.port}/mcp`,
      String(await freePort()),
      '--transport',
      'http-only',
    ],
    env: { ...env, MCP_REMOTE_CONFIG_DIR: `${env['HOME']}/mcp-auth` },
    stderr: 'pipe',
  });
  let said = '';
  transport.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  onTestFailed(() => console.error(said));
  const client = new Client({ name: 'stdio-agent', version: '1' });
  onTestFinished(() => client.close());
  await client.connect(transport);
  return client;
}

test('mcp-remote signs in through the browser, carries tool calls, and comes back without asking again', async () => {
  const desk = await prepareBrowserDesk({
    login: 'marlow-media',
    password: service.credentials.password,
    without: ['svc:upload'],
  });
  const client = await connectThroughProxy(desk.env);
  const { tools } = await client.request({ method: 'tools/list' }, ListToolsResultSchema);
  expect(tools.map(({ name }) => name)).toContain('svc_list_campaigns');
  expect(tools.map(({ name }) => name)).not.toContain('svc_prepare_upload');
  const answer = await client.callTool({ name: 'svc_whoami', arguments: {} });
  expect(answer.structuredContent).toMatchObject({ status: 'success', data: { identity: { uid: 20417 } } });
  await client.close();

  const again = await connectThroughProxy(desk.env);
  expect((await again.callTool({ name: 'svc_whoami', arguments: {} })).isError).not.toBe(true);
  expect([desk.failures, desk.opened.length]).toEqual([[], 1]);
});
