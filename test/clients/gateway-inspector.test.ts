import { expect, test } from 'vitest';
import { has } from '#test/servers/abilities.ts';
import { freePort } from '../../scripts/lib/free-port.ts';
import { openGateway, type OpenGateway } from './gateway.ts';
import { runProgram, type Ended } from './run-program.ts';

const inspector = 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js';

async function openInspector({ url, browser }: OpenGateway) {
  const callback = `http://127.0.0.1:${await freePort()}/oauth/callback`;
  const env = { ...browser.env, MCP_AUTO_OPEN_ENABLED: 'true', MCP_INSPECTOR_SECRET_STORE: 'file' };
  const to = ['--cli', '--server-url', url, '--callback-url', callback, '--format', 'json'];
  return (...args: string[]): Promise<Ended> => runProgram(inspector, [...to, ...args], { env });
}

test.runIf(has.linux).each(['legacy', 'modern'])(
  'the Inspector with the protocol of the %s era finds the gateway by its address alone, is admitted once, and reads the service’s answers',
  async (era) => {
    const gateway = await openGateway();
    const inspect = await openInspector(gateway);
    const run = (...args: string[]) => inspect('--protocol-era', era, ...args);
    const first = await run('--method', 'tools/list');
    expect([first.code, gateway.browser.failures], first.stderr).toEqual([0, []]);
    expect(first.stdout).toContain('countersign_await');

    const again = await run('--method', 'tools/call', '--tool-name', 'svc_whoami', '--tool-args-json', '{}');
    expect(JSON.parse(again.stdout)).toMatchObject({
      result: { structuredContent: { status: 'success', data: { tenant: 'northwind' } } },
    });
    expect(gateway.browser.opened).toHaveLength(1);
    expect(gateway.decided).toHaveLength(1);
  },
);
