import { expect, test } from 'vitest';
import { readChallenge, type Challenge } from '#core/service-client/answers.ts';

const nothing: Challenge = { error: null, scope: null, resourceMetadata: null };

test.each<[what: string, header: string | null, expected: Partial<Challenge>]>([
  ['no header', null, {}],
  ['another scheme', 'Basic realm="x", error="insufficient_scope"', {}],
  ['a bare scheme', 'Bearer', {}],
  [
    'everything',
    'Bearer error="insufficient_scope", scope="svc:read svc:write", resource_metadata="https://a.example/m"',
    {
      error: 'insufficient_scope',
      scope: 'svc:read svc:write',
      resourceMetadata: 'https://a.example/m',
    },
  ],
  [
    'another order and case',
    'bearer SCOPE="svc:write",Error=insufficient_scope',
    { error: 'insufficient_scope', scope: 'svc:write' },
  ],
  ['after another scheme', 'Negotiate, Bearer error="invalid_token"', { error: 'invalid_token' }],
  [
    'a comma and an escaped quote within the quotes',
    'Bearer realm="a, \\"b\\"", error="invalid_token"',
    { error: 'invalid_token' },
  ],
  [
    'a repeated parameter, of which the first counts',
    'Bearer error="invalid_token", error="insufficient_scope"',
    { error: 'invalid_token' },
  ],
  ['an invalid scope', 'Bearer error="insufficient_scope", scope="a\\"b"', { error: 'insufficient_scope' }],
  ['an empty scope', 'Bearer error="insufficient_scope", scope=""', { error: 'insufficient_scope' }],
  ['an unclosed quotation', 'Bearer error="insufficient_scope', {}],
  ['a header beyond the length limit', `Bearer ${'x'.repeat(4096)}, error="invalid_token"`, {}],
])('the Bearer challenge of a refusal is read: %s', (_what, header, expected) => {
  const headers = new Headers(header === null ? {} : { 'www-authenticate': header });
  expect(readChallenge(headers)).toEqual({ ...nothing, ...expected });
});
