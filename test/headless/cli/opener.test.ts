import { expect, test } from 'vitest';
import { openerOn } from '#headless/cli/open-in-browser.ts';

test.each([
  ['win32', { SystemRoot: 'D:\\Windows' }, 'D:\\Windows\\explorer.exe'],
  ['win32', {}, 'C:\\Windows\\explorer.exe'],
  ['darwin', {}, '/usr/bin/open'],
  ['linux', {}, 'xdg-open'],
] as const)(
  'the program that opens the browser on %s with %o is never one of the current folder',
  (platform, env, program) => {
    expect(openerOn(platform, env)).toBe(program);
  },
);
