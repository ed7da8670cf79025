import { expect, test } from 'vitest';
import { addressesOfOrigin, withToolsAddress } from '#renderer/stores/profiles/profiles-store.ts';

const empty = { baseUrl: '', apiUrl: '', mcpUrl: '' };

test.each([
  ['https://svc.example', 'https://svc.example'],
  ['https://svc.example/', 'https://svc.example'],
  ['  https://svc.example:8443 ', 'https://svc.example:8443'],
  ['http://127.0.0.1:4100', 'http://127.0.0.1:4100'],
  ['http://[::1]:4100', 'http://[::1]:4100'],
])('%j alone says where everything answers', (typed, origin) => {
  expect(addressesOfOrigin(typed)).toEqual({ baseUrl: `${origin}/api/v1`, apiUrl: origin });
});

test.each([
  '',
  'svc.example',
  'ftp://svc.example',
  'https://',
  'https://svc.example/mcp',
  'https://svc.example?x',
  'https://svc.example#x',
  'https://user@svc.example',
  'https://a b',
  'https://[',
])('%j fills nothing in', (typed) => {
  expect(addressesOfOrigin(typed)).toBeNull();
  expect(withToolsAddress(empty, typed)).toEqual({ ...empty, mcpUrl: typed });
});

test('what was filled in follows while the tools address is typed on, and goes with it', () => {
  let addresses = empty;
  for (const typed of ['https://s', 'https://sv', 'https://svc.example']) {
    addresses = withToolsAddress(addresses, typed);
  }
  expect(addresses).toEqual({
    mcpUrl: 'https://svc.example',
    baseUrl: 'https://svc.example/api/v1',
    apiUrl: 'https://svc.example',
  });
  expect(withToolsAddress(addresses, '')).toEqual(empty);
});

test('an address that a person wrote stays', () => {
  const written = { ...withToolsAddress(empty, 'https://a.example'), apiUrl: 'https://reports.example' };
  expect(withToolsAddress(written, 'https://b.example')).toEqual({
    mcpUrl: 'https://b.example',
    baseUrl: 'https://b.example/api/v1',
    apiUrl: 'https://reports.example',
  });
});
