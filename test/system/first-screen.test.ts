import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  firstScreenName,
  readFirstScreen,
  removeFirstScreen,
  writeFirstScreen,
} from '../../src/main/system/first-screen.ts';
import { maxFirstRows, withFirstScreen } from '#shared/host-api/index.ts';
import { has } from '#test/servers/abilities.ts';
import { expectMode } from '#test/servers/file-mode.ts';
import { campaignRow, firstScreenOf } from '#test/servers/first-screen.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';

const version = '0.1.0';

function keptFolder(text = JSON.stringify(firstScreenOf())): { folder: string; file: string } {
  const folder = tempFolder();
  const file = join(folder, firstScreenName);
  writeFileSync(file, text, { mode: 0o600 });
  return { folder, file };
}

test('a first screen is read back as it was saved, from a file that only its owner can read', () => {
  const folder = tempFolder();
  expect(readFirstScreen(folder, version)).toBeNull();
  const first = firstScreenOf();
  writeFirstScreen(folder, first);
  expect(readFirstScreen(folder, version)).toEqual(first);
  expectMode(join(folder, firstScreenName), 0o600);
  const later = firstScreenOf({ waiting: 7 });
  writeFirstScreen(folder, later);
  expect(readFirstScreen(folder, version)).toEqual(later);
  expect(readdirSync(folder)).toEqual([firstScreenName]);
  removeFirstScreen(folder);
  removeFirstScreen(folder);
  expect(readdirSync(folder)).toEqual([]);
});

describe('a first screen is not used if its file is', () => {
  const first = firstScreenOf();
  test.each([
    ['empty', ''],
    ['cut off', JSON.stringify(first).slice(0, 400)],
    ['not a screen', '[]'],
    ['of an older version', JSON.stringify({ ...first, version: '0.0.9' })],
    ['of a newer version', JSON.stringify({ ...first, version: '0.2.0' })],
    ['with a member that is not known', JSON.stringify({ ...first, token: 'x' })],
    ['without its profile', JSON.stringify({ ...first, profile: null })],
    ['without rows', JSON.stringify({ ...first, rows: [] })],
    ['with a damaged row', JSON.stringify({ ...first, rows: [{ ...campaignRow(1), payout: 'a lot' }] })],
    ['with too many rows', JSON.stringify({ ...first, rows: Array(maxFirstRows + 1).fill(campaignRow(1)) })],
    ['too large', JSON.stringify(first) + ' '.repeat(256 * 1024)],
    ['not text', Buffer.from([0xff, 0xfe, 0x7b]).toString('latin1')],
  ])('%s', (_what, text) => {
    const { folder } = keptFolder(text);
    expect(readFirstScreen(folder, version)).toBeNull();
  });

  test('but an undamaged file is used', () => {
    expect(readFirstScreen(keptFolder().folder, version)).toEqual(first);
  });

  test.runIf(has.modes).each([0o640, 0o604, 0o620, 0o602])(
    'readable or writable by others, with the mode %o',
    (mode) => {
      const { folder, file } = keptFolder();
      chmodSync(file, mode);
      expect(readFirstScreen(folder, version)).toBeNull();
    },
  );

  test.runIf(has.links)('a link to the real file', () => {
    const { folder, file } = keptFolder();
    renameSync(file, `${file}.elsewhere`);
    symlinkSync(`${file}.elsewhere`, file);
    expect(readFirstScreen(folder, version)).toBeNull();
  });

  test('a folder', () => {
    const folder = tempFolder();
    mkdirSync(join(folder, firstScreenName), { mode: 0o700 });
    expect(readFirstScreen(folder, version)).toBeNull();
  });
});

test('a first screen that is too large is not saved, and the earlier one is deleted', () => {
  const { folder, file } = keptFolder();
  writeFirstScreen(folder, firstScreenOf({ rows: [campaignRow(1, { website: 'x'.repeat(300_000) })] }));
  expect(existsSync(file)).toBe(false);
});

test('no text of a first screen can end its element in the page’s markup', () => {
  const name = '</script><script>alert(1)</script><!-- $& \u2028';
  const screen = firstScreenOf({ rows: [campaignRow(1, { name })] });
  const html = withFirstScreen('<html><head><title>x</title></head><body></body></html>', screen);
  expect(html.match(/<\/?script/gu)).toEqual(['<script', '</script']);
  const [, json = ''] = /id="first-screen">(.*)<\/script><\/head>/su.exec(html) ?? [];
  expect(JSON.parse(json)).toEqual(screen);
  expect(withFirstScreen('<head></head>', null)).toBe('<head></head>');
});
