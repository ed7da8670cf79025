import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bootedForThisFile } from './boot/booted-app.ts';

/** The proxy script that a company's network sets for its browsers. */
const script = `function FindProxyForURL(url, host) {
  if (dnsResolve('localhost') !== '127.0.0.1') return 'DIRECT';
  return host === 'inside.test' ? 'DIRECT' : 'PROXY proxy.test:3128; DIRECT';
}`;

const heard: string[] = [];
const server = createServer((request, response) => {
  heard.push(request.url ?? '');
  response.setHeader('content-type', 'application/x-ns-proxy-autoconfig').end(script);
});
const urlOf = (path: string): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/${path}`;

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});

const booted = bootedForThisFile(() => ({ auto_proxy: urlOf('proxy.pac') }));

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => {
    server.close(resolve);
  });
});

const proxyOf = (address: string): Promise<string> =>
  booted.application.evaluate(
    ({ session }, address) => session.defaultSession.resolveProxy(address),
    address,
  );

test('the system’s proxy script is loaded and decides the proxy of a request', async () => {
  expect(await proxyOf('https://api.example.test')).toBe('PROXY proxy.test:3128;DIRECT');
  expect(await proxyOf('https://inside.test')).toBe('DIRECT');
  expect(heard).toEqual(['/proxy.pac']);
});

test('pages use their own proxy, which leads nowhere, whatever the system’s proxy is', async () => {
  const ways = (): Promise<string[]> =>
    booted.application.evaluate(
      ({ session }, urls) => {
        const pages = ['persist:app', 'confirm', 'training', 'training-confirm', 'any-other'];
        const sessions = pages.map((name) => session.fromPartition(name));
        return Promise.all(sessions.flatMap((own) => urls.map((url) => own.resolveProxy(url))));
      },
      ['https://api.example.test', urlOf('page'), 'http://localhost/'],
    );
  // A session made by this test gets its proxy a moment later.
  await expect.poll(async () => [...new Set(await ways())]).toEqual(['SOCKS5 127.0.0.1:1']);
  expect(new Set(heard)).toEqual(new Set(['/proxy.pac']));
});
