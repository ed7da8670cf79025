import { expect, test } from 'vitest';
import { askResource, type ResourceChallenge } from '#core/service-client/oauth/sign-in/sign-in.ts';
import { createUrlPolicy } from '#core/service-client/oauth/oauth-requests.ts';
import { failureOf, giveResult, refuse, startFakeMcp, type Answer } from '../remote/fake-mcp.ts';

const nothing: ResourceChallenge = { resourceMetadataUrl: {}, scopes: [] };

function ask(mcpUrl: string): Promise<ResourceChallenge> {
  return askResource(mcpUrl, { policy: createUrlPolicy({ mcpUrl }), timeoutMs: 5_000 });
}

test.each<[what: string, answer: Answer, expected: ResourceChallenge]>([
  [
    'a 401 with everything',
    refuse(401, {
      'www-authenticate': 'Bearer scope="svc:read svc:write", resource_metadata="https://a.example/m"',
    }),
    {
      resourceMetadataUrl: { resourceMetadataUrl: 'https://a.example/m' },
      scopes: ['svc:read', 'svc:write'],
    },
  ],
  ['a 401 without a challenge', refuse(401), nothing],
  ['a 401 of another scheme', refuse(401, { 'www-authenticate': 'Basic realm="x"' }), nothing],
  ['a 403', refuse(403, { 'www-authenticate': 'Bearer scope="svc:write"' }), nothing],
  ['a 404', refuse(404), nothing],
  ['a service that needs no token', giveResult({ tools: [] }), nothing],
])('a request without a token reads the challenge of the resource: %s', async (_what, answer, expected) => {
  const fake = await startFakeMcp({ 'tools/list': answer });
  expect(await ask(fake.mcpUrl)).toEqual(expected);
  expect(fake.received.map(({ headers }) => headers.authorization)).toEqual([undefined]);
});

test('a request without a token fails if the service cannot be reached', async () => {
  expect((await failureOf(ask('http://127.0.0.1:1'))).code).toBe('service_unreachable');
});
