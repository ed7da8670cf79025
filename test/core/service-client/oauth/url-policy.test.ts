import { expect, test } from 'vitest';
import { createUrlPolicy } from '#core/service-client/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';

const live = 'https://mcp.example.com';
const loopback = 'http://127.0.0.1:4000';

/** Returns the address if the policy allows it; otherwise `refused`. */
function checked(mcpUrl: string, text: unknown): string {
  try {
    return createUrlPolicy({ mcpUrl }).check(text, 'token_endpoint').href;
  } catch (failure) {
    if (failure instanceof AppError && failure.code === 'address_refused') return 'refused';
    throw failure;
  }
}

test.each([
  [live, 'https://mcp.example.com/token', 'https://mcp.example.com/token'],
  [live, 'https://mcp.example.com:8443/token', 'https://mcp.example.com:8443/token'],
  [live, 'https://login.example.org/token?tenant=1', 'https://login.example.org/token?tenant=1'],
  [live, 'HTTPS://LOGIN.EXAMPLE.ORG/token', 'https://login.example.org/token'],
  [live, 'https://login.example.org:443', 'https://login.example.org/'],
  [live, 'https://xn--80ak6aa92e.com/@me', 'https://xn--80ak6aa92e.com/@me'],
  [loopback, 'http://127.0.0.1:4000/token', 'http://127.0.0.1:4000/token'],
  [loopback, 'http://127.0.0.1:5000/token', 'http://127.0.0.1:5000/token'],
  [loopback, 'http://127.0.0.1/token', 'http://127.0.0.1/token'],
  [loopback, 'https://127.0.0.1:5000/token', 'https://127.0.0.1:5000/token'],
  ['http://localhost:4000', 'http://LOCALHOST:5000/token', 'http://localhost:5000/token'],
  ['http://[::1]:4000', 'http://[::1]:5000/token', 'http://[::1]:5000/token'],
  // Addresses that a person configured are allowed.
  ['https://10.0.0.5', 'https://10.0.0.5:8443/token', 'https://10.0.0.5:8443/token'],
  ['https://mcp.corp', 'https://mcp.corp/token', 'https://mcp.corp/token'],
])('a document of the service at %s may contain the address %s', (mcpUrl, text, used) => {
  expect(checked(mcpUrl, text)).toBe(used);
});

test.each([
  // All addresses of an https service must be https.
  [live, 'http://mcp.example.com/token'],
  [live, 'http://login.example.org/token'],
  [live, 'http://127.0.0.1/token'],
  ['https://127.0.0.1:4000', 'http://127.0.0.1:5000/token'],
  // Only a person may configure an address of this machine or its network.
  [live, 'https://localhost/token'],
  [live, 'https://token.localhost/'],
  [live, 'https://127.0.0.1/token'],
  [live, 'https://10.1.2.3/token'],
  [live, 'https://172.16.0.1/token'],
  [live, 'https://192.168.0.1/token'],
  [live, 'https://169.254.169.254/token'],
  [live, 'https://100.64.0.1/token'],
  [live, 'https://224.0.0.1/token'],
  [live, 'https://0.0.0.0/token'],
  [live, 'https://8.8.8.8/token'],
  [live, 'https://[::]/token'],
  [live, 'https://[::1]/token'],
  [live, 'https://[fe80::1]/token'],
  [live, 'https://[fd00::1]/token'],
  [live, 'https://[ff02::1]/token'],
  [live, 'https://[::ffff:10.0.0.1]/token'],
  [live, 'https://[::ffff:a00:1]/token'],
  [live, 'https://[64:ff9b::a00:1]/token'],
  [live, 'https://[2606:4700::1111]/token'],
  [live, 'https://2130706433/token'],
  [live, 'https://0x7f000001/token'],
  [live, 'https://0x7f.1/token'],
  [live, 'https://0177.0.0.1/token'],
  [live, 'https://127.1/token'],
  [live, 'https://router/token'],
  [live, 'https://printer.local/token'],
  [live, 'https://vault.internal/token'],
  [live, 'https://nas.home.arpa/token'],
  [live, 'https://wiki.corp/token'],
  [live, 'https://mcp.example.com./token'],
  [live, 'https://.example.com/token'],
  [live, 'https://-a.example.com/token'],
  ['https://mcp.corp', 'https://login.corp/token'],
  // A service on this machine must name its own host.
  [loopback, 'https://login.example.org/token'],
  [loopback, 'http://localhost:4000/token'],
  [loopback, 'http://[::1]:4000/token'],
  [loopback, 'http://127.0.0.2:4000/token'],
  [loopback, 'http://0x7f.1:4000/token'],
  [loopback, 'http://2130706433:4000/token'],
  [loopback, 'http://0177.0.0.1:4000/token'],
  [loopback, 'http://127.0.0.%31:4000/token'],
  [loopback, 'http://[::ffff:127.0.0.1]:4000/token'],
  ['http://[::1]:4000', 'http://[0:0:0:0:0:0:0:1]:4000/token'],
  ['http://localhost:4000', 'http://localhost.:4000/token'],
  ['http://localhost:4000', 'http://127.0.0.1:4000/token'],
  ['https://localhost:4000', 'https://login.example.org/token'],
  // A service with plain http on another machine is never allowed.
  ['http://mcp.example.com', 'http://mcp.example.com/token'],
  // Credentials, fragments and other schemes.
  [live, 'https://user@login.example.org/'],
  [live, 'https://user:secret@example.org/'],
  [live, 'https://@login.example.org/'],
  [live, 'https://:@login.example.org/'],
  [live, 'https://login.example.org@evil.example/'],
  [live, 'https://login.example.org/#'],
  [live, 'https://login.example.org/#a'],
  [live, 'javascript:alert(1)'],
  [live, 'file:///etc/passwd'],
  [live, 'data:text/plain,x'],
  [live, 'wss://login.example.org/'],
  [live, 'countersign://app/'],
  // Texts that parsers read differently.
  [live, '//login.example.org/'],
  [live, '/token'],
  [live, 'login.example.org/token'],
  [live, 'https:login.example.org'],
  [live, 'https:/login.example.org'],
  [live, 'https:///login.example.org'],
  [live, 'https:\\\\login.example.org\\'],
  [live, 'https://login.example.org\\@evil.example/'],
  [live, 'https://evil.example\\.example.com/'],
  [live, 'https://login.example.org:/'],
  [live, 'https://login.example.org:0/'],
  [live, 'https://login.example.org:65536/'],
  [live, 'https://login.example.org:80a/'],
  [live, 'https://login%2eexample%2eorg/'],
  [live, 'https://login。example。org/'],
  [live, 'https://аррӏе.com/'],
  [live, 'https://[login.example.org]/'],
  [live, 'https://login.example.org/\r\nHost: evil'],
  [live, 'https://login.example.org/\n'],
  [live, 'https://login.exam\nple.org/'],
  [live, 'https://login.example.org/\t'],
  [live, ' https://login.example.org/'],
  [live, 'https://login.example.org/ '],
  [live, 'https://login.example.org/a b'],
  [live, 'https://login.example.org/\u0000'],
  [live, 'https://login.example.org/\u202Egpj'],
  [live, 'https://login.example.org/\u200B'],
  [live, 'https://login.exam\u00ADple.org/'],
  [live, 'https://login.example.org/\uFEFF'],
  [live, 'https://login.example.org/\uD800'],
  [live, 'https://login.example.org/<script>'],
  [live, 'https://login.example.org/"'],
  [live, `https://login.example.org/${'a'.repeat(2_000)}`],
  [live, ''],
])('a document of the service at %s may not contain the address %j', (mcpUrl, text) => {
  expect(checked(mcpUrl, text)).toBe('refused');
});

test.each([
  [undefined],
  [null],
  [true],
  [7],
  [['https://login.example.org/']],
  [{ href: 'https://login.example.org/' }],
])('%j is refused as an address', (value) => {
  expect(checked(live, value)).toBe('refused');
});

test('an object that converts to an address is refused', () => {
  expect(checked(live, { toString: () => 'https://login.example.org/' })).toBe('refused');
  expect(checked(live, new URL('https://login.example.org/'))).toBe('refused');
});

test('the refusal names the field, and quotes the address shortened and escaped', () => {
  const policy = createUrlPolicy({ mcpUrl: live });
  const refusal = (text: unknown): AppError => {
    try {
      policy.check(text, 'token_endpoint');
    } catch (failure) {
      if (failure instanceof AppError) return failure;
    }
    throw new Error('It was not refused');
  };
  expect(refusal('https://evil.example/\u202E”, which is fine.').message).toBe(
    'The service names an address that Countersign does not open, in token_endpoint “https://evil.example/⟨U+202E⟩", which is fine.”: it has characters that an address has not.',
  );
  const long = refusal(`\u200B${'a'.repeat(1_000_000)}`);
  expect(inertText(long.message)).toBe(long.message);
  expect(long.message.length).toBeLessThan(1_000);
  expect(refusal({}).message).toContain('in token_endpoint: it is not a text');
  expect(refusal('').data).toEqual({ field: 'token_endpoint', sent: false });
});

test('the configured host is recognized by its name, whatever the port', () => {
  const policy = createUrlPolicy({ mcpUrl: live });
  expect(policy.isConfigured(new URL('https://mcp.example.com:8443/token'))).toBe(true);
  expect(policy.isConfigured(new URL('https://login.example.org/'))).toBe(false);
});
