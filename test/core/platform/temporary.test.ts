import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeTemporary } from '#core/platform/disk-places.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';

test('a temporary folder is deleted with its content, and a missing folder is no failure', () => {
  const folder = join(tempFolder(), 'work');
  mkdirSync(join(folder, 'deeper'), { recursive: true });
  writeFileSync(join(folder, 'deeper', 'copy.sqlite'), 'content');
  removeTemporary(folder);
  expect(existsSync(folder)).toBe(false);
  removeTemporary(folder);
});

test.each(['EBUSY', 'EPERM', 'ENOTEMPTY'])(
  'a file in it that another program keeps open on Windows (%s) causes no failure',
  (code) => {
    const held = (): never => {
      throw Object.assign(new Error(code), { code });
    };
    expect(() => removeTemporary(tempFolder(), held)).not.toThrow();
  },
);
