import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { windowPicture } from '#electron/platform/app-image.ts';

test('windows on Linux show resources/icon-128.png', () => {
  const file = readFileSync(new URL('../../../resources/icon-128.png', import.meta.url));
  expect(windowPicture).toBe(file.toString('base64'));
});
