import { createServer } from 'node:http';
import { lookup } from 'node:dns/promises';
import { expect, test } from 'vitest';

test('a test’s request to another machine is refused before it is sent', async () => {
  const failure = await fetch('http://192.0.2.1/').catch((error: unknown) => error);
  expect(String((failure as Error).cause)).toMatch(/may not use the network/);
});

test('an external host name is not looked up in tests', async () => {
  await expect(async () => lookup('example.com')).rejects.toThrow(/may not use the network/);
});

test('tests can reach a server on the loopback address', async () => {
  const server = createServer((_request, response) => response.end('here'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no address');
  const answer = await fetch(`http://127.0.0.1:${address.port}/`);
  expect(await answer.text()).toBe('here');
  await new Promise((resolve) => server.close(resolve));
});
