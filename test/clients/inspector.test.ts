import { afterAll, beforeAll, expect, test } from 'vitest';
import { has } from '#test/servers/abilities.ts';
import { movableClock, startBackend } from '#test/core/backend/open-backend.ts';
import type { RunningBackend } from '#test/core/backend/open-backend.ts';
import type { Answering } from '#test/servers/person.ts';
import { freePort } from '../../scripts/lib/free-port.ts';
import { prepareBrowser } from './client-browser.ts';
import { runProgram } from './run-program.ts';
import type { Ended } from './run-program.ts';

const inspector = 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js';

const clock = movableClock();
let service: RunningBackend;
beforeAll(async () => void (service = await startBackend({ clock, campaigns: 20 })));
afterAll(() => service.dispose());

interface Printed {
  result: { structuredContent: { status: string; data: never; sourcePagination?: { complete: boolean } } };
}

async function openInspector(answering: Partial<Answering> = {}) {
  const browser = await prepareBrowser({
    login: 'marlow-media',
    password: service.credentials.password,
    ...answering,
  });
  const url = `http://127.0.0.1:${service.port}/mcp`;
  const callback = `http://127.0.0.1:${await freePort()}/oauth/callback`;
  const env = { ...browser.env, MCP_AUTO_OPEN_ENABLED: 'true', MCP_INSPECTOR_SECRET_STORE: 'file' };
  const run = (...args: string[]): Promise<Ended> =>
    runProgram(
      inspector,
      ['--cli', '--server-url', url, '--callback-url', callback, '--format', 'json', ...args],
      { env },
    );
  const call = async (tool: string, args: object = {}): Promise<Printed['result']['structuredContent']> => {
    const words = ['--method', 'tools/call', '--tool-name', tool, '--tool-args-json', JSON.stringify(args)];
    const { code, stdout, stderr } = await run(...words);
    if (code !== 0) throw new Error(`The Inspector ended with ${code}:\n${stderr}`);
    return (JSON.parse(stdout) as Printed).result.structuredContent;
  };
  return { browser, run, call };
}

test.runIf(has.linux)(
  'the Inspector needs only the address for discovery, registration, sign-in, consent and a tool call',
  async () => {
    const { browser, call, run } = await openInspector({ without: ['svc:upload', 'offline_access'] });
    const { status, data } = await call('svc_whoami');
    expect(browser.failures).toEqual([]);
    expect([status, data]).toMatchObject([
      'success',
      { tenant: 'northwind', identity: { type: 'oauth', uid: 20417 }, scopes: ['svc:read', 'svc:write'] },
    ]);
    expect(browser.opened).toHaveLength(1);

    // The Inspector reuses its stored token without asking the person, and refreshes the token after it has expired.
    const list = await call('svc_list_campaigns', { limit: 5, status: 'active' });
    expect(list.sourcePagination).toMatchObject({ limit: 5 });
    clock.move(11 * 60_000);
    expect((await call('svc_whoami')).status).toBe('success');
    for (const era of ['auto', 'modern']) {
      const { code, stdout, stderr } = await run('--protocol-era', era, '--method', 'tools/list');
      expect(code, stderr).toBe(0);
      expect(stdout).toContain('svc_list_campaigns');
    }
    expect(browser.opened).toHaveLength(1);
  },
);

test.runIf(has.linux)('the Inspector gets a refusal when the user denies access', async () => {
  const { browser, run } = await openInspector({ decision: 'deny' });
  const { code, stdout, stderr } = await run('--method', 'tools/list');
  expect([browser.failures, browser.opened.length]).toEqual([[], 1]);
  expect(code).not.toBe(0);
  expect(stdout + stderr).toContain('The person did not agree.');
});
