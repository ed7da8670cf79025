import { afterEach, expect, test } from 'vitest';
import type { McpSurface } from '#core/mcp-server/index.ts';
import { definitionOf, openEndpoint } from './open-endpoint.ts';
import type { Caller, OpenEndpoint } from './open-endpoint.ts';
import { openStream } from './open-stream.ts';
import type { OpenStream } from './open-stream.ts';

let endpoint: OpenEndpoint;

afterEach(() => endpoint.dispose());

/** Lists for each caller, which a test changes. */
function changingLists() {
  const names = { tools: ['a'], resources: ['a'], templates: ['a'], prompts: ['a'] };
  const parts: Partial<McpSurface<Caller>> = {
    listTools: () => names.tools.map(definitionOf),
    listResources: () => names.resources.map((name) => ({ uri: `test://${name}`, name })),
    listResourceTemplates: () => names.templates.map((name) => ({ uriTemplate: `test://${name}/{x}`, name })),
    listPrompts: () => names.prompts.map((name) => ({ name })),
  };
  return { names, parts };
}

const everybody = () => true;

/** The notifications of a stream until now. Sends one that marks their end. */
async function heard(stream: OpenStream): Promise<string[]> {
  const methods: string[] = [];
  endpoint.mcp.resourceChanged('test://mark');
  for (let next = await stream.next(); next.params?.['uri'] !== 'test://mark'; next = await stream.next()) {
    methods.push(String(next.method).replace('notifications/', ''));
  }
  return methods;
}

async function listen(token = 'alice') {
  const session = await endpoint.initialize({ token });
  await endpoint.request(session, 'resources/subscribe', { uri: 'test://mark' }, { token });
  return { session, stream: await openStream(endpoint.url, { session, token, method: 'GET' }) };
}

test('a session is notified only of a list that differs from its last version', async () => {
  const { names, parts } = changingLists();
  endpoint = await openEndpoint({ parts });
  const { stream } = await listen();
  endpoint.mcp.listsChanged(everybody);
  expect(await heard(stream)).toEqual([]);
  names.tools.push('b');
  endpoint.mcp.listsChanged(everybody);
  endpoint.mcp.listsChanged(everybody);
  expect(await heard(stream)).toEqual(['tools/list_changed']);
  names.templates.pop();
  names.prompts.push('b');
  endpoint.mcp.listsChanged(everybody);
  expect(await heard(stream)).toEqual(['resources/list_changed', 'prompts/list_changed']);
  stream.leave();
});

test('a session is not notified of a change that it has already listed', async () => {
  const { names, parts } = changingLists();
  endpoint = await openEndpoint({ parts });
  const { session, stream } = await listen();
  names.tools.push('b');
  await endpoint.request(session, 'tools/list');
  endpoint.mcp.listsChanged(everybody);
  expect(await heard(stream)).toEqual([]);
  stream.leave();
});

test('only affected sessions are notified', async () => {
  const { names, parts } = changingLists();
  endpoint = await openEndpoint({ parts });
  const alice = await listen();
  const bob = await listen('bob');
  names.tools.push('b');
  endpoint.mcp.listsChanged((key) => key === 'bob');
  expect(await heard(alice.stream)).toEqual([]);
  expect(await heard(bob.stream)).toEqual(['tools/list_changed']);
  alice.stream.leave();
  bob.stream.leave();
});

test('a session that opens a stream later is notified then', async () => {
  const { names, parts } = changingLists();
  endpoint = await openEndpoint({ parts });
  const session = await endpoint.initialize();
  names.tools.push('b');
  endpoint.mcp.listsChanged(everybody);
  const stream = await openStream(endpoint.url, { session, method: 'GET' });
  expect(await stream.next()).toEqual({
    jsonrpc: '2.0',
    method: 'notifications/tools/list_changed',
    params: {},
  });
  stream.leave();
});

test('lists follow the current rights of a principal, and a removed principal loses its sessions', async () => {
  const rights: { tools: string[] | null } = { tools: ['a'] };
  type Member = Caller & { tools?: string[] };
  endpoint = await openEndpoint({
    authenticate: async (): Promise<Member> => ({ key: 'alice', grantId: null, tools: ['a'] }),
    parts: {
      current: (principal): Member | null =>
        rights.tools === null ? null : { ...principal, tools: rights.tools },
      listTools: (principal: Member) => (principal.tools ?? []).map(definitionOf),
    },
  });
  const { stream } = await listen();
  rights.tools = ['a', 'b'];
  endpoint.mcp.listsChanged(everybody);
  expect(await heard(stream)).toEqual(['tools/list_changed']);
  rights.tools = null;
  endpoint.mcp.listsChanged(everybody);
  expect(await stream.rest()).toEqual([]);
  expect(endpoint.mcp.sessions).toBe(0);
});

test('a list of hundreds of entries is sent page by page, complete and in order', async () => {
  const all = Array.from({ length: 250 }, (_, number) => `tool-${number}`);
  const { names, parts } = changingLists();
  names.tools = all;
  names.resources = [...all];
  endpoint = await openEndpoint({ parts });
  const session = await endpoint.initialize();
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const asked = cursor === undefined ? {} : { cursor };
    const { result } = await endpoint.request(session, 'tools/list', asked);
    const { tools, nextCursor } = result as unknown as { tools: { name: string }[]; nextCursor?: string };
    pages.push(tools.map(({ name }) => name));
    cursor = nextCursor;
    if (cursor !== undefined) expect(cursor).not.toMatch(/tool|\d{3}$/);
  } while (cursor !== undefined);
  expect(pages.map((page) => page.length)).toEqual([100, 100, 50]);
  expect(pages.flat()).toEqual(all);
});

test('a cursor stays valid when earlier entries change, and is refused when its own entry was removed', async () => {
  const { names, parts } = changingLists();
  names.prompts = Array.from({ length: 150 }, (_, number) => `p${number}`);
  endpoint = await openEndpoint({ parts });
  const session = await endpoint.initialize();
  const { result } = await endpoint.request(session, 'prompts/list');
  const { nextCursor } = result as unknown as { nextCursor: string };
  names.prompts = names.prompts.slice(40);
  const next = await endpoint.request(session, 'prompts/list', { cursor: nextCursor });
  expect((next.result as unknown as { prompts: { name: string }[] }).prompts[0]).toEqual({ name: 'p100' });
  names.prompts = names.prompts.slice(80);
  const gone = await endpoint.request(session, 'prompts/list', { cursor: nextCursor });
  expect(gone.error).toMatchObject({ code: -32602 });
});

test('a session is notified of resources that it subscribes to, until it unsubscribes', async () => {
  endpoint = await openEndpoint({ limits: { maxSubscriptionsPerSession: 2 } });
  const { session, stream } = await listen();
  await endpoint.request(session, 'resources/subscribe', { uri: 'test://one' });
  const { error } = await endpoint.request(session, 'resources/subscribe', { uri: 'test://three' });
  expect(error?.data?.['code']).toBe('quota_exceeded');
  endpoint.mcp.resourceChanged('test://three');
  endpoint.mcp.resourceChanged('test://one');
  expect(await stream.next()).toMatchObject({
    method: 'notifications/resources/updated',
    params: { uri: 'test://one' },
  });
  await endpoint.request(session, 'resources/unsubscribe', { uri: 'test://one' });
  endpoint.mcp.resourceChanged('test://one');
  expect(await heard(stream)).toEqual([]);
  stream.leave();
});
