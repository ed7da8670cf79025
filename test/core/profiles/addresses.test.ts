import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkAddresses, isSameService } from '#core/profiles/index.ts';
import type { ServiceAddresses } from '#shared/app-api/index.ts';
import { runs } from '#test/setup/property-runs.ts';

const fine: ServiceAddresses = {
  baseUrl: 'https://ads.example.com/api/v1',
  apiUrl: 'https://api.example.com',
  mcpUrl: 'https://mcp.example.com',
};

/** Written in two parts, so that no address with a password appears in the sources. */
const withPassword = ['https://me:secret', 'api.example.com'].join('@');

type Field = keyof ServiceAddresses;

function kept(field: Field, written: string): string {
  const checked = checkAddresses({ ...fine, [field]: written });
  if (checked.kind === 'refused') throw new Error(JSON.stringify(checked.fields));
  return checked.addresses[field];
}

function faultOf(field: Field, written: string): { code: string; message: string } {
  const checked = checkAddresses({ ...fine, [field]: written });
  if (checked.kind === 'fine') throw new Error(`Kept as ${checked.addresses[field]}`);
  expect(checked.fields.map((fault) => fault.field)).toEqual([field]);
  const [{ code, message } = { code: '', message: '' }] = checked.fields;
  return { code, message };
}

describe('an address of a service is stored', () => {
  test.each<[Field, string, string]>([
    ['baseUrl', 'https://ads.example.com/api/v1', 'https://ads.example.com/api/v1'],
    ['baseUrl', 'https://ads.example.com/api/v1/', 'https://ads.example.com/api/v1'],
    ['baseUrl', 'https://example.com/tenants/north/api/v1', 'https://example.com/tenants/north/api/v1'],
    ['baseUrl', '  https://ads.example.com/api/v1\n', 'https://ads.example.com/api/v1'],
    ['baseUrl', 'http://127.0.0.1:8700/api/v1', 'http://127.0.0.1:8700/api/v1'],
    ['baseUrl', 'http://localhost:8700/api/v1', 'http://localhost:8700/api/v1'],
    ['baseUrl', 'http://[::1]:8700/api/v1', 'http://[::1]:8700/api/v1'],
    ['apiUrl', 'https://api.example.com/', 'https://api.example.com'],
    ['apiUrl', 'https://api.example.com:8443', 'https://api.example.com:8443'],
    ['apiUrl', 'HTTPS://API.Example.com:443/', 'https://api.example.com'],
    ['mcpUrl', 'https://10.1.2.3', 'https://10.1.2.3'],
    ['mcpUrl', 'https://xn--bcher-kva.example', 'https://xn--bcher-kva.example'],
  ])('%s %j as %s', (field, written, address) => {
    expect(kept(field, written)).toBe(address);
  });
});

describe('an address is refused, with the remedy', () => {
  test.each<[string, Field, string, string, RegExp]>([
    ['nothing', 'baseUrl', ' ', 'required', /Enter the address, for example https:/],
    ['words', 'baseUrl', 'my-service', 'not_an_address', /complete address, for example/],
    ['no scheme', 'apiUrl', 'api.example.com', 'not_an_address', /complete address/],
    ['another scheme', 'apiUrl', 'ftp://api.example.com', 'not_an_address', /complete address/],
    ['a script', 'mcpUrl', 'javascript:alert(1)', 'not_an_address', /complete address/],
    ['a file', 'mcpUrl', 'file:///etc/passwd', 'not_an_address', /complete address/],
    ['no host', 'mcpUrl', 'https:///', 'not_an_address', /complete address/],
    ['a backslash', 'mcpUrl', 'https://mcp.example.com\\@evil.example', 'not_an_address', /complete address/],
    ['port 0', 'apiUrl', 'https://api.example.com:0', 'not_an_address', /complete address/],
    ['an invalid port', 'apiUrl', 'https://api.example.com:99999', 'not_an_address', /complete address/],
    ['plain http', 'apiUrl', 'http://api.example.com', 'not_secure', /Use https/],
    ['plain http in the house', 'apiUrl', 'http://192.168.0.7', 'not_secure', /this machine only/],
    ['plain http to any address', 'apiUrl', 'http://0.0.0.0', 'not_secure', /this machine only/],
    ['a name that begins like ours', 'apiUrl', 'http://localhost.example.com', 'not_secure', /Use https/],
    ['another loopback address', 'apiUrl', 'http://127.0.0.2', 'not_secure', /127\.0\.0\.1/],
    ['a user', 'apiUrl', 'https://me@api.example.com', 'has_credentials', /before @/],
    ['a password', 'apiUrl', withPassword, 'has_credentials', /before @/],
    ['an empty user', 'apiUrl', 'https://@api.example.com', 'has_credentials', /before @/],
    ['a query', 'apiUrl', 'https://api.example.com/?token=1', 'has_query', /Leave everything from/],
    ['an empty query', 'apiUrl', 'https://api.example.com?', 'has_query', /Leave everything from/],
    ['a fragment', 'baseUrl', 'https://a.example/api/v1#x', 'has_query', /Leave everything from/],
    [
      'another path',
      'baseUrl',
      'https://a.example/api/v2',
      'wrong_path',
      /end in \/api\/v1, for example “https/,
    ],
    ['no path', 'baseUrl', 'https://a.example', 'wrong_path', /https:\/\/a\.example\/api\/v1/],
    ['more than the base', 'baseUrl', 'https://a.example/api/v1/login', 'wrong_path', /must end in/],
    ['the base in capitals', 'baseUrl', 'https://a.example/API/V1', 'wrong_path', /must end in/],
    ['a way up', 'baseUrl', 'https://a.example/x/../api/v1', 'wrong_path', /Write the path out/],
    ['a hidden way up', 'baseUrl', 'https://a.example/x/%2e%2e/api/v1', 'wrong_path', /Write the path out/],
    ['doubled slashes', 'baseUrl', 'https://a.example//api/v1', 'wrong_path', /doubled slashes/],
    [
      'a path at an origin',
      'apiUrl',
      'https://a.example/xml',
      'wrong_path',
      /Write “https:\/\/a\.example”\./,
    ],
    ['the endpoint itself', 'mcpUrl', 'https://m.example/mcp', 'wrong_path', /Leave \/mcp away/],
    ['the endpoint with a slash', 'mcpUrl', 'https://m.example/mcp/', 'wrong_path', /Leave \/mcp away/],
    ['a zero width space', 'mcpUrl', 'https://m\u200b.example', 'hidden_character', /plain letters/],
    ['a bidi mark', 'mcpUrl', 'https://m.example\u202e', 'hidden_character', /plain letters/],
    ['a look-alike letter', 'mcpUrl', 'https://m\u0430il.example', 'hidden_character', /xn--/],
    ['a space', 'mcpUrl', 'https://m.example /', 'hidden_character', /without spaces/],
    ['a line break', 'mcpUrl', 'https://m.exa\nmple', 'hidden_character', /without spaces/],
  ])('%s', (_name, field, written, code, remedy) => {
    const fault = faultOf(field, written);
    expect(fault.code).toBe(code);
    expect(fault.message).toMatch(remedy);
    expect(fault.message).not.toContain('secret');
  });

  test('with every fault at once', () => {
    const checked = checkAddresses({ baseUrl: '', apiUrl: 'x', mcpUrl: 'http://m.example' });
    expect(checked).toMatchObject({
      kind: 'refused',
      fields: [{ field: 'baseUrl' }, { field: 'apiUrl' }, { field: 'mcpUrl' }],
    });
  });
});

test('a profile with any other address is another service', () => {
  expect(isSameService(fine, { ...fine })).toBe(true);
  for (const field of ['baseUrl', 'apiUrl', 'mcpUrl'] as const) {
    expect(isSameService(fine, { ...fine, [field]: 'https://elsewhere.example' })).toBe(false);
  }
});

test('a stored address is always https or on this computer, stays the same when stored again, and is an origin or a base', () => {
  const near = fc
    .tuple(
      fc.constantFrom('https://', 'http://', 'HTTP://', 'ftp://', '//', ''),
      fc.constantFrom('', 'me@', 'a:b@', '@'),
      fc.constantFrom(
        '127.0.0.1',
        'localhost',
        '[::1]',
        'a.example',
        '2130706433',
        '0x7f.1',
        '10.0.0.1',
        'localhost.',
      ),
      fc.constantFrom('', ':', ':0', ':80', ':443', ':8080', ':65536'),
      fc.constantFrom(
        '',
        '/',
        '//',
        '/mcp',
        '/api/v1',
        '/api/v1/',
        '/x/api/v1',
        '/./api/v1',
        '/%2e/api/v1',
        '\\',
      ),
      fc.constantFrom('', '?', '#', '?a', '\u200b'),
    )
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.oneof(near, fc.webUrl(), fc.string()), (text) => {
      for (const field of ['baseUrl', 'apiUrl', 'mcpUrl'] as const) {
        const checked = checkAddresses({ ...fine, [field]: text });
        if (checked.kind === 'refused') continue;
        const address = checked.addresses[field];
        expect(checkAddresses(checked.addresses)).toEqual(checked);
        expect(address).toMatch(/^(https:\/\/|http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?(\/|$))/);
        const { origin, pathname } = new URL(address);
        if (field === 'baseUrl') expect(address).toBe(`${origin}${pathname}`);
        else expect(address).toBe(origin);
        expect(address.endsWith('/api/v1')).toBe(field === 'baseUrl');
      }
    }),
    runs(1_000),
  );
});
