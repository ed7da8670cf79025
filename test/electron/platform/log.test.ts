import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDesktopLog } from '#electron/platform/log.ts';
import { expectMode } from '#test/servers/file-mode.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';

test('the log of the desktop host never contains a secret', () => {
  const folder = tempFolder();
  const secret = 'planted0123456789abcdef';
  const log = openDesktopLog(folder);
  log.warn({ stack: `Error: asked with nonce=${secret}`, start: { dataKey: secret } }, `Bearer ${secret}`);
  const file = join(folder, 'logs/desktop.log');
  const line = readFileSync(file, 'utf8');
  expect(line).not.toContain(secret);
  expect(JSON.parse(line)).toMatchObject({ level: 'warn', msg: 'Bearer [redacted]' });
  expectMode(file, 0o600);
});

test('a log that cannot be written stops nothing', () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'logs'), 'a file where the folder should be');
  expect(() => openDesktopLog(folder).info({}, 'x')).not.toThrow();
});
