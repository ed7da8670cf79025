import { afterEach, expect, test, vi } from 'vitest';
import type { Connection } from '#renderer/api/bridge.ts';
import { createHttpBridge } from '#renderer/api/app-bridge.ts';
import { eventually } from '#test/setup/eventually.ts';

afterEach(() => void vi.unstubAllGlobals());

/** A signed-in tab whose core gives this answer to every request. */
function bridgeTo(answer: Response) {
  vi.stubGlobal('sessionStorage', { getItem: () => 'secret', removeItem: () => {} });
  vi.stubGlobal('fetch', async () => answer);
  return createHttpBridge();
}

test('a truncated answer fails as an unreachable core and is never read as an empty answer', async () => {
  const asked = bridgeTo(new Response('{"output": {"items": [', { status: 200 })).call('session.get', {});
  await expect(asked).rejects.toMatchObject({ code: 'core_unreachable' });
});

test('a failure with a truncated body is still a failure', async () => {
  const asked = bridgeTo(new Response('{"error": {', { status: 409 })).call('session.get', {});
  await expect(asked).rejects.toMatchObject({ code: 'internal' });
});

test('a page reconnects after a request did not reach the host, although its event stream was intact', async () => {
  vi.stubGlobal('sessionStorage', { getItem: () => 'secret', removeItem: () => {} });
  vi.stubGlobal('window', { addEventListener: () => {} });
  vi.stubGlobal('location', { hash: '' });
  const streams: AbortSignal[] = [];
  vi.stubGlobal('fetch', async (path: string, { signal }: RequestInit) => {
    if (path !== '/events' || !signal) throw new TypeError('Failed to fetch');
    streams.push(signal);
    const start = (controller: ReadableStreamDefaultController): void =>
      signal.addEventListener('abort', () => controller.error(signal.reason));
    return new Response(new ReadableStream({ start }));
  });
  const bridge = createHttpBridge();
  const seen: Connection['kind'][] = [];
  bridge.onConnection(({ kind }) => seen.push(kind));
  await bridge.start();
  await eventually(() => expect(seen).toEqual(['connected']));
  await expect(bridge.call('session.get', {})).rejects.toMatchObject({ code: 'core_unreachable' });
  expect(seen).toEqual(['connected', 'lost']);
  await eventually(() => expect(seen).toEqual(['connected', 'lost', 'connected']));
  expect(streams.map(({ aborted }) => aborted)).toEqual([true, false]);

  // Ends the bridge: without a secret the page opens no other stream.
  await expect(bridge.call('session.get', {})).rejects.toMatchObject({ code: 'core_unreachable' });
  vi.stubGlobal('sessionStorage', { getItem: () => null, removeItem: () => {} });
  await eventually(() => expect(seen.at(-1)).toBe('signed-out'));
});
