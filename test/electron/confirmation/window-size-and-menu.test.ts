import { expect, test } from 'vitest';
import {
  largestSize,
  minimumSize,
  confirmMenuTemplate,
} from '#electron/confirmation/window-size-and-menu.ts';

test.each([
  ['a usual screen', { width: 1920, height: 1200 }, { width: 1728, height: 1080 }],
  ['a screen on which it could not stand smaller', { width: 600, height: 500 }, minimumSize],
])('the window never covers the whole of %s', (_screen, workArea, largest) => {
  expect(largestSize(workArea)).toEqual(largest);
});

test('the menu of the window holds what the system knows how to do and the emergency stop, and nothing that decides', () => {
  const menu = confirmMenuTemplate({ emergencyStop() {} });
  const items = menu.flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []));
  const known = items.filter(({ role }) => role !== undefined);
  expect(known.map(({ role }) => role)).toEqual(['close', 'resetZoom', 'zoomIn', 'zoomOut']);
  for (const item of [...menu, ...known]) {
    expect(item.click).toBeUndefined();
    expect(item.accelerator).toBeUndefined();
  }
  expect(items.filter((item) => !known.includes(item))).toMatchObject([
    { label: 'Emergency Stop', accelerator: 'CommandOrControl+Shift+H' },
  ]);
});
