import type { IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createAgentAuthentication } from '#core/gateway/endpoint/receive-request.ts';

test('another caller is served before the last of many calls that came at once', async () => {
  const served: string[] = [];
  const authenticate = createAgentAuthentication({
    oauth: {
      async authenticate(token) {
        served.push(token);
        return null;
      },
    },
    agents: { seen: () => null },
    ready: async () => {},
  });
  const call = (token: string) =>
    authenticate({ rawHeaders: ['Authorization', `Bearer ${token}`] } as IncomingMessage);
  const tokens = ['1', '2', '3', '4', '5'];
  const calls = tokens.map((token) => expect(call(token)).rejects.toMatchObject({ code: 'token_invalid' }));
  const other = setImmediate().then(() => served.push('other'));
  await Promise.all([...calls, other]);
  expect(served.toSorted()).toEqual([...tokens, 'other']);
  expect(served.at(-1)).toBe('5');
});
