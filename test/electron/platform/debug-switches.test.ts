import { expect, test } from 'vitest';
import { refusedSwitch } from '#electron/platform/debug-switches.ts';

const line = (...names: string[]) => ({ hasSwitch: (name: string) => names.includes(name) });

test('a switch that would let another program press Approve is refused', () => {
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
])('--%s is refused because it removes the sandbox or puts a program before a process', (name) => {
  expect(refusedSwitch(line(name))).toBe(name);
});

test('a usual start has no refused switch', () => {
  expect(refusedSwitch(line('user-data-dir', 'force-device-scale-factor'))).toBeNull();
});
