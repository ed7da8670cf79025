import { expect, test, vi } from 'vitest';
import { createHostRequests } from '#core/host-link/host-requests.ts';
import type { CoreMessage } from '#shared/host-api/index.ts';

test('each address has its own answer, whatever their order', async () => {
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

test('a host that says nothing has opened nothing', async () => {
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
