import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtPages } from '#headless/browser-host/built-pages.ts';
import { page } from './page.ts';
import { serveFakeCore, type Served } from './served.ts';

let served: Served;
beforeAll(async () => {
  served = await serveFakeCore();
});
afterAll(() => served.dispose());

test('each origin serves its own page at its root', async () => {
  expect(await (await page(served.appOrigin).get('/')).text()).toContain('app');
  expect(await (await page(served.confirmOrigin).get('/')).text()).toContain('confirm');
});

test('both origins serve the shared files, cached permanently, and never cache a page', async () => {
  for (const origin of [served.appOrigin, served.confirmOrigin]) {
    const script = await page(origin).get('/assets/main-1a2b.js');
    expect(script.headers.get('cache-control')).toContain('immutable');
    expect(script.headers.get('content-type')).toContain('text/javascript');
    expect((await page(origin).get('/')).headers.get('cache-control')).toBe('no-store');
  }
});

test.each([
  '/confirm.html',
  '/index.html',
  '/assets',
  '/assets/',
  '/assets/..%2findex.html',
  '/..%2f..%2fetc/passwd',
  '/assets/main-1a2b.js.map',
  '/%00',
])('%s is not found', async (path) => {
  const response = await page(served.appOrigin).get(path);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ error: { code: 'not_found' } });
});

describe('every page', () => {
  test.each(['app', 'confirm'] as const)(
    'of the %s may load and request its own origin only',
    async (role) => {
      const origin = role === 'app' ? served.appOrigin : served.confirmOrigin;
      const { headers } = await page(origin).get('/');
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("connect-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(Object.fromEntries(headers)).toMatchObject({
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      });
    },
  );

  test('of the app has no link to its opener, and keeps the confirmation window that it opens', async () => {
    const opener = async (origin: string): Promise<string | null> =>
      (await page(origin).get('/')).headers.get('cross-origin-opener-policy');
    expect(await opener(served.appOrigin)).toBe('same-origin-allow-popups');
    expect(await opener(served.confirmOrigin)).toBe('unsafe-none');
  });

  test('grants nothing to other origins', async () => {
    for (const path of ['/', '/assets/main-1a2b.js', '/nothing', '/events']) {
      const { headers } = await page(served.appOrigin).get(path, { origin: served.appOrigin });
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });
});

test('a host without built pages says what to do', () => {
  const empty = mkdtempSync(join(tmpdir(), 'countersign-no-pages-'));
  try {
    expect(() => builtPages(empty)).toThrow(expect.objectContaining({ code: 'pages_missing' }) as Error);
    expect(() => builtPages(join(empty, 'none'))).toThrow(
      expect.objectContaining({ code: 'pages_missing' }) as Error,
    );
  } finally {
    rmSync(empty, { recursive: true });
  }
});
