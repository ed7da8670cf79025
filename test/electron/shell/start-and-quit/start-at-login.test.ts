import { readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  autostartFile,
  configFolder,
  type LoginStart,
} from '../../../../src/main/electron/shell/start-and-quit/behaviour.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';

test('on Linux start at login is a desktop autostart file, which is deleted when it is turned off', () => {
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

test.each([
  ['a space and a percent sign', '/opt/100 %/app', '/opt/100 %%/app'],
  ['a quotation mark', '/opt/a"b', String.raw`/opt/a\\"b`],
  ['a dollar sign', '/opt/$HOME', String.raw`/opt/\\$HOME`],
  ['a backtick', '/opt/a`b', '/opt/a\\\\`b'],
  ['a line feed', '/opt/a\nHidden=true', String.raw`/opt/a\nHidden=true`],
  ['a backslash', String.raw`/opt/a\b`, String.raw`/opt/a\\\\b`],
])('a program with %s in its path is named so that the desktop starts it', (_, path, written) => {
  const config = tempFolder();
  autostartFile(() => [path], config).set(true);
  const entry = readFileSync(join(config, 'autostart', 'app.countersign.desktop.desktop'), 'utf8');
  expect(entry.split('\n')).toContain(`Exec="${written}"`);
});

test.each(['Hidden=true', 'X-GNOME-Autostart-enabled=false'])(
  'an entry that the desktop turned off with %s is off, and the user can turn it on again here',
  (line) => {
    const config = tempFolder();
    const login = autostartFile(() => ['/opt/app'], config);
    login.set(true);
    const file = join(config, 'autostart', 'app.countersign.desktop.desktop');
    writeFileSync(file, `${readFileSync(file, 'utf8')}${line}\n`);
    expect(login.isOn()).toBe(false);
    login.set(true);
    expect(login.isOn()).toBe(true);
  },
);

test.each([
  [undefined, join(homedir(), '.config')],
  ['', join(homedir(), '.config')],
  ['settings', join(homedir(), '.config')],
  ['/people/ana/settings', '/people/ana/settings'],
])('the folder of settings for XDG_CONFIG_HOME %j is %s', (named, folder) => {
  expect(configFolder(named)).toBe(folder);
});
