import { expect, test } from 'vitest';
import type { RemoteClient } from '#core/service-client/index.ts';
import { readPages } from '#core/service-client/remote/remote-client.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import {
  failureOf,
  giveResult,
  initializeResult,
  openClient,
  startFakeMcp,
  type Answer,
} from './fake-mcp.ts';

/** Answers with pages by their cursor. The cursor of the first page is empty. */
function pages(member: string, byCursor: Record<string, JsonObject>): Answer {
  return (response, received) => {
    const { cursor = '' } = received.params as { cursor?: string };
    giveResult({ [member]: [], ...byCursor[cursor] })(response, received);
  };
}

const lists: [method: string, member: string, list: (client: RemoteClient) => Promise<JsonObject[]>][] = [
  ['tools/list', 'tools', (client) => client.listTools()],
  ['resources/list', 'resources', (client) => client.listResources()],
  ['resources/templates/list', 'resourceTemplates', (client) => client.listResourceTemplates()],
  ['prompts/list', 'prompts', (client) => client.listPrompts()],
];

test.each(lists)('%s is read to its last page, with every item complete', async (method, member, list) => {
  const item = {
    name: 'one',
    inputSchema: { $defs: { a: { type: 'null' } }, additionalProperties: false },
    ofTheirOwn: [1],
  };
  const fake = await startFakeMcp({
    [method]: pages(member, {
      '': { [member]: [item], nextCursor: 'b' },
      b: { nextCursor: 'c' },
      c: { [member]: [{ name: 'two' }], nextCursor: null },
    }),
  });
  expect(await list(openClient(fake.mcpUrl))).toEqual([item, { name: 'two' }]);
  expect(fake.methods().filter((asked) => asked === method)).toHaveLength(3);
});

test.each(lists.slice(1))(
  '%s is empty and not requested if the service does not offer it',
  async (method, _member, list) => {
    const fake = await startFakeMcp({
      initialize: giveResult({ ...initializeResult, capabilities: { tools: {} } }),
    });
    expect(await list(openClient(fake.mcpUrl))).toEqual([]);
    expect(fake.methods()).not.toContain(method);
  },
);

test.each<[what: string, page: JsonObject, code: string]>([
  ['a repeated cursor', { nextCursor: 'a' }, 'protocol_failed'],
  ['a cursor that is no text', { nextCursor: 7 }, 'service_answer_unreadable'],
  ['no list', { tools: {} }, 'service_answer_unreadable'],
  ['items that are no objects', { tools: ['one'] }, 'service_answer_unreadable'],
])('a page with %s makes the list fail', async (_what, page, code) => {
  const fake = await startFakeMcp({ 'tools/list': giveResult({ tools: [], ...page }) });
  expect((await failureOf(openClient(fake.mcpUrl).listTools())).code).toBe(code);
  expect(fake.methods().length).toBeLessThan(6);
});

test('a page may have more items than a function call may have arguments', async () => {
  const tools = Array.from({ length: 300_000 }, () => ({}));
  expect(await readPages('tools', async () => ({ tools }))).toHaveLength(300_000);
});

test('an endless list fails, and so does a list that is larger than the largest allowed answer', async () => {
  let page = 0;
  const endless = readPages('tools', async () => ({ tools: [], nextCursor: String((page += 1)) }));
  const failure = await failureOf(endless);
  expect([failure.code, failure.message]).toEqual([
    'protocol_failed',
    'The service’s list of tools has no end.',
  ]);
  expect(page).toBe(1000);

  page = 0;
  const tools = [{ description: 'x'.repeat(12 * 1024 * 1024) }];
  const large = readPages('tools', async () => ({ tools, nextCursor: String((page += 1)) }));
  expect((await failureOf(large)).code).toBe('protocol_failed');
  expect(page).toBe(3);
});
