import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { onTestFailed, onTestFinished } from 'vitest';
import { freePort } from '../../scripts/lib/free-port.ts';

/** Connects an agent that supports only stdio, through mcp-remote. The agent ends with the test. */
export async function connectThroughProxy(url: string, env: Record<string, string>): Promise<Client> {
  const port = String(await freePort());
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['node_modules/mcp-remote/dist/proxy.js', url, port, '--transport', 'http-only'],
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
