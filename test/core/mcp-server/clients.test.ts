import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, expect, test } from 'vitest';
import { openEndpoint } from './open-endpoint.ts';
import type { OpenEndpoint } from './open-endpoint.ts';

let endpoint: OpenEndpoint;
const clients: Client[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  await endpoint.dispose();
});

/** Connects the SDK's own client as one user. */
async function connect(token: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  clients.push(client);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(endpoint.url), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  return client;
}

test('two clients that call a hundred times at the same time get their own answers', async () => {
  endpoint = await openEndpoint({ limits: { maxCallsPerSession: 200 } });
  const [alice, bob] = await Promise.all([connect('alice'), connect('bob')]);
  const ask = async (client: Client, number: number) => {
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
