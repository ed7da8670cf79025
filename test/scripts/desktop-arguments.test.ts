import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { desktopArguments } from '../../scripts/lib/open-app.ts';

test.each<[string, string[], string[], string[]]>([
  ['nothing', [], [], []],
  ['a folder', ['--data-folder', 'trial run'], [`--user-data-dir=${resolve('trial run')}`], []],
  ['a folder in one word', ['--data-folder=/a=b'], [`--user-data-dir=${resolve('/a=b')}`], []],
  ['what only the browser host knows', ['--no-open', '--campaigns', '9'], [], ['--no-open', '--campaigns 9']],
  [
    'both',
    ['--campaigns=9', '--data-folder', '/a', 'more'],
    [`--user-data-dir=${resolve('/a')}`],
    ['--campaigns=9', 'more'],
  ],
  ['a folder that is missing', ['--data-folder'], [], ['--data-folder']],
  ['a switch of Chromium’s', ['--no-sandbox'], [], ['--no-sandbox']],
])('npm start passes the desktop %s', (_name, given, args, skipped) => {
  expect(desktopArguments(given)).toEqual({ args, skipped });
});
