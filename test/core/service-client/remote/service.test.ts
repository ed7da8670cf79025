import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { DemoAccounts } from '#core/backend/demo-data/accounts.ts';
import type { Scope } from '#core/backend/remote-call/principal.ts';
import type { ChangedList, RemoteClient } from '#core/service-client/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { startBackend, type RunningBackend } from '#test/core/backend/open-backend.ts';
import { eventually } from '#test/setup/eventually.ts';
import { failureOf, fixedAccess, openClient } from './fake-mcp.ts';

let service: RunningBackend;

beforeAll(async () => {
  service = await startBackend({ campaigns: 30, days: 3 });
});

afterAll(() => service.dispose());

/** Our client of the real service, signed in as one of its accounts. */
async function connect(
  account: keyof DemoAccounts,
  scopes: readonly Scope[] = ['svc:read'],
  running = service,
): Promise<RemoteClient> {
  const { accessToken } = await running.backend.issueRemoteGrant({ account, scopes });
  return openClient(`http://127.0.0.1:${running.port}`, { access: fixedAccess(accessToken) });
}

const everyScope: readonly Scope[] = ['svc:read', 'svc:write', 'svc:upload', 'offline_access'];

test('everything that the service offers is listed whole', async () => {
  const client = await connect('buyer', everyScope);
  expect(await client.info()).toMatchObject({ name: 'countersign-service', protocolVersion: '2025-11-25' });
  const tools = await client.listTools();
  expect(tools).toHaveLength(13);
  for (const { name, inputSchema, outputSchema, annotations } of tools) {
    expect(inputSchema, String(name)).toMatchObject({ type: 'object', additionalProperties: false });
    expect(outputSchema, String(name)).toMatchObject({ type: 'object' });
    expect(annotations, String(name)).toHaveProperty('readOnlyHint');
  }
  expect((await client.listResources()).length).toBeGreaterThan(20);
  expect((await client.listResourceTemplates()).length).toBeGreaterThan(0);
  expect((await client.listPrompts()).length).toBeGreaterThan(0);
  expect(await client.readResource('svc://statuses')).toHaveProperty('contents');
  expect((await failureOf(client.readResource('svc://nothing'))).code).toBe('object_not_found');
});

test('a tool’s result comes as it is, a refusal in it too', async () => {
  const client = await connect('buyer');
  expect(await client.callTool('svc_whoami', {})).toMatchObject({
    structuredContent: { status: 'success', data: { identity: { name: 'Marlow Media' } } },
  });
  expect(await client.callTool('svc_list_campaigns', { limit: 2 })).toMatchObject({
    structuredContent: { sourcePagination: { complete: false, nextOffset: 2 } },
  });
  expect(await client.callTool('svc_list_campaigns', { limit: 'many' })).toMatchObject({
    isError: true,
    structuredContent: { status: 'error', error: { code: 'arguments_invalid' } },
  });
  expect((await failureOf(client.callTool('svc_nothing', {}))).code).toBe('tool_refused');
});

test('a tool beyond the sign-in names the scopes that it needs, and nothing was done', async () => {
  const client = await connect('buyer');
  const failure = await failureOf(client.callTool('svc_prepare_upload', {}));
  expect(failure.code).toBe('scope_needed');
  expect(String(failure.data?.['scope']).split(' ').toSorted()).toEqual([
    'svc:read',
    'svc:upload',
    'svc:write',
  ]);
});

test('an account without the menu is refused, in the service’s words', async () => {
  const failure = await failureOf((await connect('withoutMenu')).listTools());
  expect(failure.code).toBe('forbidden');
  expect(failure.message).toContain('“Remote tools are not in the menu of this account.”');
});

test('a token that the service does not know needs a sign-in', async () => {
  const renew = (): Promise<never> => Promise.reject(new AppError('sign_in_needed'));
  const access = { token: async () => 'unknown', renew };
  const client = openClient(`http://127.0.0.1:${service.port}`, { access });
  expect((await failureOf(client.listTools())).code).toBe('sign_in_needed');
});

test('the service reports when an account’s rights change', async () => {
  const client = await connect('withoutBalance');
  const before = await client.listTools();
  const heard: ChangedList[] = [];
  client.onListChanged((list) => heard.push(list));
  const { uid } = service.credentials.accounts.withoutBalance;
  // The stream of the session may still be on its way to the service.
  let turn = 0;
  await eventually(() => {
    if (heard.length === 0)
      service.backend.setAccess(uid, { modules: (turn += 1) % 2 === 0 ? ['uploads', 'tasks'] : ['uploads'] });
    expect(heard).not.toEqual([]);
  });
  expect((await client.listTools()).length).toBeLessThan(before.length);
});

test('a restarted service knows no session: the call continues in another one', async () => {
  const first = await startBackend({ campaigns: 3, days: 1 });
  const { port } = first;
  const { accessToken } = await first.backend.issueRemoteGrant({ account: 'buyer', scopes: ['svc:read'] });
  let token = accessToken;
  const access = { token: async () => token, renew: async () => token };
  const client = openClient(`http://127.0.0.1:${port}`, { access });
  const { structuredContent } = await client.callTool('svc_list_campaigns', {});
  await first.dispose();
  expect((await failureOf(client.callTool('svc_whoami', {}))).code).toMatch(
    /^(service_unreachable|outcome_unknown)$/,
  );

  const second = await startBackend({ campaigns: 3, days: 1, port });
  onTestFinished(() => second.dispose());
  ({ accessToken: token } = await second.backend.issueRemoteGrant({
    account: 'buyer',
    scopes: ['svc:read'],
  }));
  expect(await client.callTool('svc_list_campaigns', {})).toMatchObject({ structuredContent });
});
