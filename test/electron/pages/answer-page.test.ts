import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPageAnswers, listBuiltFiles } from '../../../src/main/electron/pages/serve-pages.ts';
import type { FirstScreen } from '#shared/host-api/index.ts';
import { firstScreenOf } from '#test/servers/first-screen.ts';
import { has } from '#test/servers/abilities.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';

function builtFolder(): string {
  const root = tempFolder();
  const folder = join(root, 'renderer');
  mkdirSync(join(folder, 'assets', 'deep'), { recursive: true });
  writeFileSync(join(root, 'secret.txt'), 'secret');
  writeFileSync(join(folder, 'index.html'), '<html><head></head>the app');
  writeFileSync(join(folder, 'confirm.html'), 'the confirmation');
  writeFileSync(join(folder, 'assets', 'index-abc.js'), 'code');
  writeFileSync(join(folder, 'assets', 'deep', 'face.woff2'), 'font');
  if (has.links) symlinkSync(join(root, 'secret.txt'), join(folder, 'assets', 'link.js'));
  return folder;
}

function answersOf(
  role: 'app' | 'confirm',
  place: 'work' | 'training' = 'work',
  screen: FirstScreen | null = null,
) {
  const pages = {
    files: listBuiltFiles(builtFolder()),
    read: (file: string) => readFile(file),
    firstScreen: () => screen,
  };
  const answer = createPageAnswers({ place, role }, pages);
  return async (url: string, method = 'GET') => {
    const { status, headers, body } = await answer({ method, url });
    return { status, headers, body: Buffer.from(body).toString() };
  };
}

test.each([
  ['app', 'countersign://app/', '<html><head></head>the app', 'text/html; charset=utf-8', 'no-store'],
  ['app', 'countersign://app/#/ledger', '<html><head></head>the app', 'text/html; charset=utf-8', 'no-store'],
  ['confirm', 'countersign://confirm/', 'the confirmation', 'text/html; charset=utf-8', 'no-store'],
  [
    'app',
    'countersign://app/assets/index-abc.js',
    'code',
    'text/javascript; charset=utf-8',
    'public, max-age=31536000, immutable',
  ],
  [
    'confirm',
    'countersign://confirm/assets/deep/face.woff2',
    'font',
    'font/woff2',
    'public, max-age=31536000, immutable',
  ],
] as const)('the origin of %s serves %s', async (role, url, body, type, cache) => {
  expect(await answersOf(role)(url)).toMatchObject({
    status: 200,
    body,
    headers: { 'content-type': type, 'cache-control': cache },
  });
});

test('a training page is marked as such in its markup, and served on training origins only', async () => {
  const training = answersOf('app', 'training');
  expect((await training('countersign://training/')).body).toBe(
    '<html data-place="training"><head></head>the app',
  );
  expect((await training('countersign://app/')).status).toBe(404);
  expect((await training('countersign://training-confirm/')).status).toBe(404);
  expect((await answersOf('app')('countersign://training/')).status).toBe(404);
  const confirmation = answersOf('confirm', 'training');
  expect((await confirmation('countersign://training-confirm/')).body).toBe('the confirmation');
  expect((await confirmation('countersign://confirm/')).status).toBe(404);
});

test.each([
  'countersign://app/index.html',
  'countersign://app/confirm.html',
  'countersign://confirm/',
  'countersign://confirm/assets/index-abc.js',
  'countersign://app/assets/',
  'countersign://app/assets/missing.js',
  'countersign://app/assets/link.js',
  'countersign://app/../secret.txt',
  'countersign://app/assets/../../secret.txt',
  'countersign://app/assets/%2e%2e/%2e%2e/secret.txt',
  'countersign://app/..%5csecret.txt',
  'countersign://app//index.html',
  'countersign://app/?x',
  'countersign://app/assets/index-abc.js?x',
  'countersign://app:80/',
  'countersign://me@app/',
  'countersign://app.evil/',
  'countersign://ape/',
  'Countersign://app/',
  'countersign://app',
  'file:///etc/passwd',
  'https://app/',
])('the app’s origin has nothing at %s', async (url) => {
  const { status, body } = await answersOf('app')(url);
  expect(status).toBe(404);
  expect(body).toBe('Not found');
});

test.each(['HEAD', 'POST', 'PUT', 'OPTIONS'])('the method %s is refused', async (method) => {
  expect((await answersOf('app')('countersign://app/', method)).status).toBe(405);
});

test('every response has the policy: own files only, no network, no frames, no markup from text', async () => {
  const get = answersOf('app');
  for (const url of [
    'countersign://app/',
    'countersign://app/assets/index-abc.js',
    'countersign://app/nothing',
  ]) {
    expect((await get(url)).headers).toMatchObject({
      'content-security-policy': [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "style-src-attr 'unsafe-inline'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'none'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ].join('; '),
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
  }
});

test('a file that was deleted since the start is a 404 and not a crash', async () => {
  const files = new Map([['/assets/gone.js', '/nowhere/gone.js']]);
  const parts = { files, read: (file: string) => readFile(file), firstScreen: () => null };
  const answer = createPageAnswers({ place: 'work', role: 'app' }, parts);
  expect(await answer({ method: 'GET', url: 'countersign://app/assets/gone.js' })).toMatchObject({
    status: 500,
  });
});

test('the host reports missing pages if they were not built', () => {
  expect(() => listBuiltFiles(join(tempFolder(), 'nothing'))).toThrow(/pages of the app/);
  const half = tempFolder();
  writeFileSync(join(half, 'index.html'), '');
  expect(() => listBuiltFiles(half)).toThrow(/pages of the app/);
});

test('only the page of the work gets the first screen, which no script policy has to allow', async () => {
  const screen = firstScreenOf();
  const { body, headers } = await answersOf('app', 'work', screen)('countersign://app/');
  expect(body).toContain(
    `<script type="application/json" id="first-screen">${JSON.stringify(screen)}</script>`,
  );
  expect(headers['content-security-policy']).toContain("script-src 'self';");
  expect((await answersOf('confirm', 'work', screen)('countersign://confirm/')).body).not.toContain('1003');
  expect((await answersOf('app', 'training', screen)('countersign://training/')).body).not.toContain('1003');
});
