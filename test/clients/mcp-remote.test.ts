import { ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { has } from '#test/servers/abilities.ts';
import { startBackend } from '#test/core/backend/open-backend.ts';
import type { RunningBackend } from '#test/core/backend/open-backend.ts';
import { prepareBrowser } from './client-browser.ts';
import { connectThroughProxy } from './stdio-agent.ts';

let service: RunningBackend;
beforeAll(async () => void (service = await startBackend({ campaigns: 20 })));
afterAll(() => service.dispose());

test.runIf(has.linux)(
  'mcp-remote signs in through the browser, makes tool calls, and connects again without another question',
  async () => {
    const browser = await prepareBrowser({
      login: 'marlow-media',
      password: service.credentials.password,
      without: ['svc:upload'],
    });
    const url = `http://127.0.0.1:${service.port}/mcp`;
    const client = await connectThroughProxy(url, browser.env);
    const { tools } = await client.request({ method: 'tools/list' }, ListToolsResultSchema);
    expect(tools.map(({ name }) => name)).toContain('svc_list_campaigns');
    expect(tools.map(({ name }) => name)).not.toContain('svc_prepare_upload');
    const answer = await client.callTool({ name: 'svc_whoami', arguments: {} });
    expect(answer.structuredContent).toMatchObject({ status: 'success', data: { identity: { uid: 20417 } } });
    await client.close();

    const again = await connectThroughProxy(url, browser.env);
    expect((await again.callTool({ name: 'svc_whoami', arguments: {} })).isError).not.toBe(true);
    expect([browser.failures, browser.opened.length]).toEqual([[], 1]);
  },
);
