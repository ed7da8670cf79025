import { expect, test, vi } from 'vitest';
import { createHostRequests } from '#core/host-link/serve-host.ts';
import type { CoreMessage } from '#shared/host-api/index.ts';

test('each opened address gets its own answer, in any order', async () => {
  const sent: CoreMessage[] = [];
  const links = createHostRequests((message) => void sent.push(message));
  const first = links.open('https://service.example/1');
  const second = links.open('https://service.example/2');
  expect(sent).toEqual([
    { kind: 'open', id: 1, address: 'https://service.example/1' },
    { kind: 'open', id: 2, address: 'https://service.example/2' },
  ]);
  links.opened(2, true);
  links.opened(1, false);
  links.opened(7, true);
  expect([await first, await second]).toEqual([false, true]);
});

test('an address counts as not opened if the host does not answer', async () => {
  vi.useFakeTimers();
  try {
    const links = createHostRequests(() => undefined);
    const opened = links.open('https://service.example/');
    vi.advanceTimersByTime(10_000);
    expect(await opened).toBe(false);
    links.opened(1, true);
  } finally {
    vi.useRealTimers();
  }
});

test('the host names the proxies of an origin, and a failed or missing answer is a failure', async () => {
  vi.useFakeTimers();
  try {
    const sent: CoreMessage[] = [];
    const requests = createHostRequests((message) => void sent.push(message));
    const found = requests.findProxy('https://service.example');
    const none = requests.findProxy('https://other.example');
    const late = requests.findProxy('https://third.example');
    const refusals = Promise.allSettled([none, late]);
    expect(sent[0]).toEqual({ kind: 'findProxy', id: 1, origin: 'https://service.example' });
    // Each kind of request numbers its requests itself.
    requests.opened(1, true);
    requests.proxyFound(2, null);
    requests.proxyFound(1, 'PROXY proxy.example:8080');
    expect(await found).toBe('PROXY proxy.example:8080');
    vi.advanceTimersByTime(10_000);
    expect((await refusals).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  } finally {
    vi.useRealTimers();
  }
});

test('a reset host names the key that the core uses next, and without an answer the key stays', async () => {
  vi.useFakeTimers();
  try {
    const requests = createHostRequests(() => undefined);
    const key = requests.resetHost();
    const none = requests.resetHost();
    const late = requests.resetHost();
    requests.hostReset(2, null);
    requests.hostReset(1, Buffer.alloc(32, 7).toString('base64'));
    expect([await key, await none]).toEqual([Buffer.alloc(32, 7), null]);
    vi.advanceTimersByTime(25_000);
    expect(await late).toBeNull();
  } finally {
    vi.useRealTimers();
  }
});
