import { expect, test } from 'vitest';
import { cursorLink, vsCodeLink } from '#shared/lib/install-links.ts';
import { checkExternalLink } from '#electron/windows/links.ts';

test.each([
  ['https://example.com', 'https://example.com/', 'example.com'],
  ['https://docs.example.com:8443/a?b=c#d', 'https://docs.example.com:8443/a?b=c#d', 'docs.example.com:8443'],
  ['HTTPS://EXAMPLE.COM/', 'https://example.com/', 'example.com'],
  // Cyrillic letters that look like Latin letters.
  ['https://аррӏе.com/', 'https://xn--80ak6aa92e.com/', 'xn--80ak6aa92e.com'],
  ['https://例え.jp/道', 'https://xn--r8jz45g.jp/%E9%81%93', 'xn--r8jz45g.jp'],
])('%s may be opened, and is shown in plain letters', (text, address, host) => {
  expect(checkExternalLink(text)).toEqual({ kind: 'fine', address, host });
});

const ours = 'http://127.0.0.1:4100/mcp';

test('a link that adds Countersign to a client can be opened exactly, and the client is named', () => {
  expect(checkExternalLink(cursorLink(ours))).toMatchObject({
    kind: 'fine',
    address: cursorLink(ours),
    host: 'Cursor',
  });
  expect(checkExternalLink(vsCodeLink(ours))).toMatchObject({ kind: 'fine', host: 'VS Code', client: true });
});

test.each([
  cursorLink('http://evil.example/mcp'),
  cursorLink('http://127.0.0.1:4100/mcp?x'),
  `${cursorLink(ours)}&name=other`,
  cursorLink(ours).replace('install', 'run'),
  vsCodeLink('http://127.0.0.1.evil.example:4100/mcp'),
  vsCodeLink(ours).replace('install', 'other'),
  `${vsCodeLink(ours)}#x`,
  `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'countersign', command: 'other', url: ours }))}`,
])('%s is refused', (text) => {
  expect(checkExternalLink(text)).toEqual({ kind: 'refused', because: 'not https' });
});

test.each([
  ['http://example.com/', 'not https'],
  ['javascript:alert(1)', 'not https'],
  ['file:///etc/passwd', 'not https'],
  ['countersign://app/', 'not https'],
  ['mailto:a@example.com', 'not https'],
  ['ms-msdt:/id', 'not https'],
  ['smb://example.com/share', 'not https'],
  ['example.com', 'not an address'],
  ['', 'not an address'],
  ['https://', 'not an address'],
  ['https://user@example.com/', 'credentials'],
  ['https://user:secret@example.com/', 'credentials'],
  ['https://bank.com@example.com/', 'credentials'],
  ['https://@example.com/', 'credentials'],
  ['https:\\\\@example.com/', 'credentials'],
  ['https://example.com/a b', 'hidden characters'],
  ['https://example.com/\n', 'hidden characters'],
  ['https://example.com/\u202Egpj', 'hidden characters'],
  ['https://exam\u00ADple.com/', 'hidden characters'],
  ['https://example.com/\u200B', 'hidden characters'],
  ['https://localhost/', 'host'],
  ['https://printer.local/', 'host'],
  ['https://127.0.0.1/', 'host'],
  ['https://2130706433/', 'host'],
  ['https://0x7f.1/', 'host'],
  ['https://[::1]/', 'host'],
  ['https://router/', 'host'],
  ['https://example.com./', 'host'],
  [`https://example.com/${'a'.repeat(2_000)}`, 'too long'],
])('%s is refused', (text, because) => {
  expect(checkExternalLink(text)).toEqual({ kind: 'refused', because });
});
