import type { IncomingMessage } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createAgentAuthentication } from '#core/gateway/endpoint/receive-request.ts';

test('of simultaneous calls one is checked in each turn, so that other callers are served in between', async () => {
  let looked = 0;
  const authenticate = createAgentAuthentication({
    oauth: {
      async authenticate() {
        looked += 1;
        return null;
      },
    },
    agents: { seen: () => null },
    ready: async () => {},
  });
  const rawHeaders = ['Authorization', 'Bearer token'];
  const calls = Array.from({ length: 5 }, () => authenticate({ rawHeaders } as IncomingMessage));
  const refused = Promise.allSettled(calls);
  let before = 0;
  while (before < 5) {
    await turn();
    expect(looked - before).toBeLessThanOrEqual(2);
    before = looked;
  }
  expect((await refused).map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'rejected'));
});
