import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, expect, test } from 'vitest';
import type { CallContext } from '#core/mcp-server/index.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { openEndpoint } from './open-endpoint.ts';
import type { EndpointSetup, OpenEndpoint } from './open-endpoint.ts';

let endpoint: OpenEndpoint;
const clients: Client[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  await endpoint.dispose();
});

/** The SDK's own client, connected as a user. */
async function connect(token: string): Promise<{ client: Client; transport: StreamableHTTPClientTransport }> {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(endpoint.url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  clients.push(client);
  await client.connect(transport);
  return { client, transport };
}

async function open(setup: EndpointSetup = {}): Promise<void> {
  endpoint = await openEndpoint(setup);
}

test('two clients call at the same time, a hundred times, and each gets its own answers', async () => {
  await open({ limits: { maxCallsPerSession: 200 } });
  const [alice, bob] = await Promise.all([connect('alice'), connect('bob')]);
  const ask = async ({ client }: typeof alice, number: number) => {
    const who = await client.callTool({ name: 'who' });
    const echo = await client.callTool({ name: 'echo', arguments: { number } });
    return [who.structuredContent, echo.structuredContent];
  };
  const numbers = Array.from({ length: 100 }, (_, number) => number);
  const answers = await Promise.all(
    numbers.map((number) => Promise.all([ask(alice, number), ask(bob, -number)])),
  );
  expect(answers).toEqual(
    numbers.map((number) => [
      [{ data: 'alice' }, { data: { number } }],
      [{ data: 'bob' }, { data: { number: number === 0 ? 0 : -number } }],
    ]),
  );
});

test('everything that is offered can be listed, read and completed', async () => {
  await open();
  const { client } = await connect('alice');
  expect(client.getInstructions()).toBe('Be kind.');
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo', 'who']);
  expect((await client.listResources()).resources).toEqual([{ uri: 'test://one', name: 'one' }]);
  expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(1);
  const { contents } = await client.readResource({ uri: 'test://two' });
  expect(contents).toEqual([{ uri: 'test://two', mimeType: 'text/plain', text: 'One.' }]);
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['greet']);
  const prompt = await client.getPrompt({ name: 'greet', arguments: { who: 'Ada' } });
  expect(prompt.messages[0]?.content).toEqual({ type: 'text', text: 'Hello Ada' });
  const ref = { type: 'ref/prompt' as const, name: 'greet' };
  const { completion } = await client.complete({ ref, argument: { name: 'who', value: 'o' } });
  expect(completion.values).toEqual(['one']);
  await client.ping();
});

test('a client hears progress, and its cancelling reaches the tool', async () => {
  const gone = Promise.withResolvers<void>();
  const work = async (_args: JsonObject, { progress, signal }: CallContext): Promise<JsonValue> => {
    await progress(1, 2);
    await new Promise((resolve) => {
      signal.addEventListener('abort', resolve, { once: true });
    });
    gone.resolve();
    return null;
  };
  await open({ tools: { work } });
  const { client } = await connect('alice');
  const cancelling = new AbortController();
  const call = client.callTool({ name: 'work' }, undefined, {
    signal: cancelling.signal,
    onprogress: ({ progress }) => {
      expect(progress).toBe(1);
      cancelling.abort('enough');
    },
  });
  await expect(call).rejects.toThrow('enough');
  await gone.promise;
  await client.ping();
});

test('a client that ends its session leaves none behind', async () => {
  await open();
  const { transport } = await connect('alice');
  expect(endpoint.mcp.sessions).toBe(1);
  await transport.terminateSession();
  expect(endpoint.mcp.sessions).toBe(0);
});

test('a client whose session has ended is informed, so that it can begin another', async () => {
  await open();
  const { client } = await connect('alice/grant');
  endpoint.mcp.endGrant('grant');
  await expect(client.listTools()).rejects.toMatchObject({ code: 404 });
});
