import { describe, expect, test } from 'vitest';
import { checkAuthorizationAddress, createLinkGuard } from '#electron/windows/links.ts';

const fine = [
  'https://service.example/authorize?client_id=1&state=a',
  'http://127.0.0.1:4100/authorize?state=a',
  'http://localhost:4100/authorize',
  'http://[::1]:4100/authorize',
];

const refused = [
  'http://service.example/authorize',
  'http://127.0.0.1.evil.example/authorize',
  'http://localhost.evil.example/',
  'https://user@service.example/',
  ['https://user', 'word@service.example/'].join(':'),
  'javascript:alert(1)',
  'file:///etc/passwd',
  'data:text/html,hello',
  'smb://service.example/share',
  'ms-settings:privacy',
  'not an address',
  '//service.example/',
  '',
  ' https://service.example/',
  'https://service.example/ ',
  'https://service.example/\u202e',
  'https://service.example/\u0000',
  'https://service.example/\nhttps://evil.example/',
  `https://service.example/${'a'.repeat(4_000)}`,
];

describe('an authorization address', () => {
  test.each(fine)('%j is opened unchanged', async (address) => {
    expect(checkAuthorizationAddress(address)).toBe(address);
  });

  test.each(refused)('%j is not opened', async (address) => {
    const opened: string[] = [];
    const links = createLinkGuard({
      open: async (url) => void opened.push(url),
      ask: async () => true,
    });
    expect(await links.openAuthorization(address)).toBe(false);
    expect(opened).toEqual([]);
  });

  test('is opened without a second question, and a browser that does not start is reported', async () => {
    let fails = false;
    const opened: string[] = [];
    const links = createLinkGuard({
      async open(url) {
        if (fails) throw new Error('no browser');
        opened.push(url);
      },
      ask: async () => {
        throw new Error('asked');
      },
    });
    expect(await links.openAuthorization(fine[0]!)).toBe(true);
    expect(opened).toEqual([fine[0]]);
    fails = true;
    expect(await links.openAuthorization(fine[0]!)).toBe(false);
  });
});
