import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { afterCrash, closeMeans, windowColour } from '#electron/windows/title-and-closing.ts';
import { isEntryPage, mayLoad, mayNavigate, mayUse } from '#electron/windows/guards.ts';

const page = 'countersign://app/';

test.each([
  [page, true],
  ['countersign://app/assets/x.js', true],
  ['countersign://confirm/', true],
  ['countersign://training/', true],
  ['countersign://training-confirm/', true],
  ['countersign://training-other/', false],
  ['countersign://app.evil/', false],
  ['countersign://other/', false],
  ['https://example.com/', false],
  ['http://127.0.0.1:8080/', false],
  ['ws://127.0.0.1:1/', false],
  ['ftp://example.com/', false],
  ['file:///etc/passwd', false],
  ['chrome://gpu', false],
  ['devtools://devtools/x.js', false],
])('a page of a packaged app loads %s: %s', (url, may) => {
  expect(mayLoad(url, { packaged: true })).toBe(may);
});

test('developer tools load their own files in development', () => {
  expect(mayLoad('devtools://devtools/x.js', { packaged: false })).toBe(true);
  expect(mayLoad('https://example.com/', { packaged: false })).toBe(false);
});

test.each([
  [page, page, true, true],
  [`${page}#/ledger`, page, true, true],
  [page, page, false, false],
  [page, 'countersign://app/other', true, false],
  [page, 'countersign://confirm/', true, false],
  [page, 'countersign://training/', true, false],
  ['countersign://training/', page, true, false],
  ['countersign://training-confirm/', 'countersign://confirm/', true, false],
  [page, 'https://example.com/', true, false],
  [page, 'javascript:alert(1)', true, false],
  [page, 'data:text/html,x', true, false],
  [page, 'about:blank', true, false],
  ['', '', true, false],
])('from %s to %s (main frame: %s) is allowed: %s', (from, to, isMainFrame, may) => {
  expect(mayNavigate(from, to, isMainFrame)).toBe(may);
});

test.each([
  [page, true],
  [`${page}#/ledger`, true],
  ['countersign://confirm/', true],
  ['countersign://app/other', false],
  ['countersign://app/?query', false],
  ['about:blank', false],
])('%s is an entry page of the app: %s', (url, is) => {
  expect(isEntryPage(url)).toBe(is);
});

test.each([
  ['clipboard-sanitized-write', 'countersign://app', true, true],
  ['clipboard-sanitized-write', 'countersign://app/', true, true],
  ['clipboard-sanitized-write', 'countersign://app', false, false],
  ['clipboard-sanitized-write', 'countersign://confirm', true, false],
  ['clipboard-sanitized-write', 'countersign://training', true, true],
  ['clipboard-sanitized-write', 'countersign://training-confirm', true, false],
  ['clipboard-sanitized-write', 'https://example.com', true, false],
  ['clipboard-read', 'countersign://app', true, false],
  ['media', 'countersign://app', true, false],
  ['notifications', 'countersign://app', true, false],
  ['openExternal', 'countersign://app', true, false],
  ['fileSystem', 'countersign://app', true, false],
])('%s for %s (main frame: %s) is granted: %s', (permission, origin, isMainFrame, may) => {
  expect(mayUse(permission, origin, isMainFrame)).toBe(may);
});

test('a crashed page is loaded again once, and the user is asked after another crash soon after', () => {
  expect(afterCrash([5_000])).toEqual({ kind: 'reload', afterMs: 1_000 });
  expect(afterCrash([5_000, 9_000])).toEqual({ kind: 'ask' });
  expect(afterCrash([5_000, 65_000])).toEqual({ kind: 'reload', afterMs: 1_000 });
  expect(afterCrash([5_000, 65_000, 66_000])).toEqual({ kind: 'ask' });
});

test('closing the window quits if nothing else shows that the app still runs', () => {
  expect(closeMeans('linux', null)).toBe('quit');
  expect(closeMeans('darwin', null)).toBe('hide');
  expect(closeMeans('win32', null)).toBe('hide');
  expect(closeMeans('linux', true)).toBe('hide');
  expect(closeMeans('win32', false)).toBe('quit');
});

test('a window opens in the background colour of its page', () => {
  const tokens = readFileSync('src/renderer/ui/styles/tokens.css', 'utf8');
  const step = (theme: string, name: string): string | undefined =>
    new RegExp(`data-theme='${theme}'\\] {[^}]*--${name}: (#[0-9a-f]{6});`).exec(tokens)?.[1];
  expect(/data-theme\] {[^}]*--frame: var\(--n3\);/.test(tokens)).toBe(true);
  expect(windowColour(false)).toBe(step('light', 'n3'));
  expect(/data-theme='dark'\] {\s*--frame: var\(--n2\);/.test(tokens)).toBe(true);
  expect(windowColour(true)).toBe(step('dark', 'n2'));
});
