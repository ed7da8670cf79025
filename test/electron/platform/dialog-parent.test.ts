import { expect, test } from 'vitest';
import { parentFor } from '#electron/shell/native-dialogs.ts';

const window = (name: string, isVisible: boolean, isMinimized = false) => ({
  name,
  isVisible: () => isVisible,
  isMinimized: () => isMinimized,
});
const shown = window('shown', true);
const hidden = window('hidden', false);
const minimised = window('minimised', true, true);

test.each([
  ['macOS', 'darwin', 'none wanted', null, [hidden, shown], 'shown'],
  ['macOS', 'darwin', 'a hidden one wanted', hidden, [hidden, minimised, shown], 'shown'],
  ['macOS', 'darwin', 'one on screen wanted', shown, [hidden], 'shown'],
  ['macOS', 'darwin', 'none on screen', hidden, [hidden, minimised], null],
  ['Windows', 'win32', 'none wanted', null, [shown], null],
  ['Windows', 'win32', 'a hidden one wanted', hidden, [shown], 'hidden'],
  ['Linux', 'linux', 'none wanted', null, [shown], null],
] as const)(
  'a dialog opens over the right window on %s (%s), %s',
  (_system, platform, _case, wanted, all, name) => {
    expect(parentFor(platform, wanted, all)?.name ?? null).toBe(name);
  },
);
