import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startBackend } from '#test/core/backend/open-backend.ts';
import { openEndpointWorld } from '#test/core/gateway/endpoint/endpoint-world.ts';

interface Address {
  url: string;
  token: string;
}

async function openService(): Promise<Address> {
  const service = await startBackend({ campaigns: 20 });
  onTestFinished(() => service.dispose());
  const { accessToken } = await service.backend.issueRemoteGrant({ account: 'buyer', scopes: ['svc:read'] });
  return { url: `http://127.0.0.1:${service.port}/mcp`, token: accessToken };
}

async function openAgentsEndpoint(): Promise<Address> {
  const { url, enter } = await openEndpointWorld();
  return { url, token: (await enter()).tokens.access_token };
}

const eras = [
  ['pinned to 2026-07-28', { pin: '2026-07-28' }, 'modern'],
  ['that finds out by itself', 'auto', 'modern'],
  ['of sessions', 'legacy', 'legacy'],
] as const;

describe.each([
  ['the service', openService],
  ['the gateway', openAgentsEndpoint],
])('%s', (_what, open) => {
  test.each(eras)('serves a client of version 2 of the SDK %s', async (_how, mode, era) => {
    const { url, token } = await open();
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    onTestFinished(() => client.close());
    expect(client.getProtocolEra()).toBe(era);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('svc_whoami');
    const { structuredContent } = await client.callTool({ name: 'svc_whoami', arguments: {} });
    expect(structuredContent).toMatchObject({ status: 'success', data: { tenant: 'northwind' } });
    const { resources } = await client.listResources();
    const [{ uri } = { uri: '' }] = resources;
    expect((await client.readResource({ uri })).contents).toMatchObject([{ uri }]);
  });
});
