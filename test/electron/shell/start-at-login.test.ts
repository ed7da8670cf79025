import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { autostartFile, type LoginStart } from '#electron/shell/start-at-login.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';

test('on Linux the start at login is a file of the desktop’s autostart, which is gone when it is switched off', () => {
  const config = tempFolder();
  const login: LoginStart = autostartFile(() => ['/opt/Counter sign/app', '100%'], config);
  expect(login.isOn()).toBe(false);
  login.set(true);
  expect(login.isOn()).toBe(true);
  const entry = readFileSync(join(config, 'autostart', 'app.countersign.desktop.desktop'), 'utf8');
  expect(entry.split('\n')).toContain('Exec="/opt/Counter sign/app" "100%%"');
  login.set(false);
  expect(login.isOn()).toBe(false);
});
