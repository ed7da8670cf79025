import { expect, test } from 'vitest';
import { refusedSwitch } from '#electron/platform/debug-switches.ts';

const line = (...names: string[]) => ({ hasSwitch: (name: string) => names.includes(name) });

test('a switch with which another program could press Approve is named', () => {
  expect(refusedSwitch(line('user-data-dir', 'remote-debugging-port'))).toBe('remote-debugging-port');
  expect(refusedSwitch(line('remote-debugging-pipe'))).toBe('remote-debugging-pipe');
  expect(refusedSwitch(line('no-sandbox'))).toBe('no-sandbox');
});

test.each([
  'single-process',
  'disable-seccomp-filter-sandbox',
  'disable-namespace-sandbox',
  'disable-gpu-sandbox',
  'renderer-cmd-prefix',
  'utility-cmd-prefix',
  'browser-subprocess-path',
])('--%s takes the sandbox away as well, or puts a program in front of one of its processes', (name) => {
  expect(refusedSwitch(line(name))).toBe(name);
});

test('a usual start has none', () => {
  expect(refusedSwitch(line('user-data-dir', 'force-device-scale-factor'))).toBeNull();
});
