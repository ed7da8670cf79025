import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { trayPictures } from '#electron/platform/app-image.ts';

test.each(Object.entries(trayPictures))('the tray shows resources/%s', (name, base64) => {
  const file = join(import.meta.dirname, '../../../../resources', name);
  expect(base64).toBe(readFileSync(file).toString('base64'));
});
