import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool, type Scope } from '#core/backend/remote-call/tool.ts';
import type { DemoAccounts } from '#core/backend/demo-data/credentials.ts';
import { everyScope, openSurface, refusalOf, type OpenSurface } from './open-surface.ts';

/** Stand-ins for the tools that prepare and commit. */
const writing = (['prepare', 'commit'] as const).map((kind) =>
  defineTool({
    name: `test_${kind}`,
    title: kind,
    description: 'Does nothing.',
    kind,
    scopes: ['svc:write'],
    modules: ['campaigns'],
    input: z.strictObject({}),
    output: z.string(),
    run: () => ({ data: 'done' }),
  }),
);

let open: OpenSurface;
beforeAll(async () => {
  open = await openSurface({ tools: writing });
});
afterAll(() => open.dispose());

const reads = ['svc_list_campaigns', 'svc_get_campaign'];
const reports = ['svc_xml_stats', 'svc_search_report'];
const writes = ['test_prepare', 'test_commit'];

describe('a member is offered', () => {
  const offers: [
    keyof DemoAccounts,
    readonly Scope[],
    { tools: string[]; prompts: string[]; kinds: string[] },
  ][] = [
    [
      'buyer',
      everyScope,
      {
        tools: ['svc_whoami', ...reads, ...reports, ...writes],
        prompts: ['review_campaign', 'pause_losers', 'explain_report'],
        kinds: ['campaign', 'task-run'],
      },
    ],
    [
      'buyer',
      ['svc:read'],
      {
        tools: ['svc_whoami', ...reads, ...reports],
        prompts: ['review_campaign', 'explain_report'],
        kinds: ['campaign', 'task-run'],
      },
    ],
    ['buyer', ['svc:write'], { tools: [], prompts: [], kinds: [] }],
    [
      'neighbour',
      everyScope,
      {
        tools: ['svc_whoami', ...reads, ...writes],
        prompts: ['review_campaign', 'pause_losers'],
        kinds: ['campaign'],
      },
    ],
    [
      'publisher',
      everyScope,
      { tools: ['svc_whoami', ...reports], prompts: ['explain_report'], kinds: ['task-run'] },
    ],
  ];
  test.each(offers)(
    'the tools, prompts and resources of %s with %j',
    (account, scopes, { tools, prompts, kinds }) => {
      const who = open.principal({ account, scopes });
      const { surface } = open;
      expect(surface.listTools(who).map(({ name }) => name)).toEqual(tools);
      expect(surface.listPrompts(who).map(({ name }) => name)).toEqual(prompts);
      expect(surface.listResourceTemplates(who).map(({ name }) => name)).toEqual(kinds);
    },
  );

  test('only what the account’s current modules and menu allow', () => {
    const { store } = open.service;
    const { surface, accounts } = open;
    const who = open.principal({ account: 'withoutBalance' });
    const set = (access: Parameters<typeof store.write.setAccess>[1]) =>
      store.transaction(() => store.write.setAccess(accounts.withoutBalance.uid, access));
    set({ modules: ['xml'] });
    const now = surface.current!(who);
    expect(now === null ? [] : surface.listTools(now).map(({ name }) => name)).toEqual([
      'svc_whoami',
      'svc_xml_stats',
    ]);
    set({ mcpMenu: false });
    expect(surface.current!(who)).toBeNull();
  });

  test('as many tools in whoami as in the lists', async () => {
    for (const account of ['buyer', 'neighbour', 'publisher'] as const) {
      const who = open.principal({ account, scopes: ['svc:read'] });
      const { structuredContent } = await open.call('svc_whoami', {}, who);
      expect(structuredContent).toMatchObject({
        data: {
          counts: {
            tools: { available: open.surface.listTools(who).length, catalog: 7 },
            prompts: { available: open.surface.listPrompts(who).length, catalog: 3 },
          },
        },
      });
    }
  });
});

describe('a member is refused', () => {
  const lacking: [string, readonly Scope[], string][] = [
    ['test_commit', ['svc:read'], 'svc:read svc:write'],
    ['test_commit', ['svc:read', 'offline_access'], 'svc:read offline_access svc:write'],
    ['svc_whoami', ['svc:write'], 'svc:write svc:read'],
    ['svc_nothing', [], 'svc:read'],
  ];
  test.each(lacking)('%s with %j by the endpoint, which names the scope %s', (name, scopes, scope) => {
    const call = { method: 'tools/call', params: { name, arguments: {} } };
    expect(() => open.surface.admit(open.principal({ scopes }), call)).toThrow(
      expect.objectContaining({ code: 'scope_missing', data: { scope } }),
    );
  });

  test('any other request without the read scope, and a prompt without its own scope', () => {
    const admit = (method: string, params: object, scopes: readonly Scope[]) => () =>
      open.surface.admit(open.principal({ scopes }), { method, params: params as never });
    for (const method of ['initialize', 'ping', 'tools/list', 'resources/read', 'completion/complete']) {
      expect(admit(method, {}, ['svc:write'])).toThrow(expect.objectContaining({ code: 'scope_missing' }));
      expect(admit(method, {}, ['svc:read'])).not.toThrow();
    }
    const prompt = { name: 'pause_losers' };
    expect(admit('prompts/get', prompt, ['svc:read'])).toThrow(
      expect.objectContaining({ code: 'scope_missing' }),
    );
    expect(admit('prompts/get', prompt, ['svc:read', 'svc:write'])).not.toThrow();
  });

  test('without a request for more scopes if the account lacks the module', async () => {
    const publisher = open.principal({ account: 'publisher', scopes: ['svc:read'] });
    const call = { method: 'tools/call', params: { name: 'test_commit' } };
    expect(() => open.surface.admit(publisher, call)).not.toThrow();
    expect(refusalOf(await open.call('test_commit', {}, publisher)).code).toBe('module_denied');
  });

  test('a call without its scope even after the endpoint accepted it', async () => {
    const result = await open.call('test_commit', {}, open.principal({ scopes: ['svc:read'] }));
    expect(refusalOf(result)).toMatchObject({ code: 'scope_missing', statusCode: 403 });
  });

  test('a tool of a module that the account lacks in the tool’s answer', async () => {
    const publisher = open.principal({ account: 'publisher' });
    for (const name of ['svc_list_campaigns', 'svc_get_campaign', 'test_prepare']) {
      expect(refusalOf(await open.call(name, { cid: 104_201 }, publisher))).toMatchObject({
        code: 'module_denied',
        statusCode: 403,
      });
    }
  });

  test('an unknown tool or prompt as unknown', async () => {
    await expect(open.call('svc_delete_everything')).rejects.toMatchObject({ code: 'object_not_found' });
    await expect(
      open.surface.getPrompt(open.principal(), { name: 'nothing', args: {} }, {} as never),
    ).rejects.toMatchObject({ code: 'object_not_found' });
  });
});
