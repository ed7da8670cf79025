import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { silentLogger as logger } from '#core/platform/logger.ts';
import { openReportCache, type ReportCache, type ReportScope } from '#core/store/report-cache.ts';
import { expectMode } from '#test/servers/file-mode.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';

const scope: ReportScope = { profile: 'p1', keyHash: 'a'.repeat(64), report: 'xml', source: 7301 };
const day = (date: string, text = date) => ({
  grouping: 'day' as const,
  from: date,
  to: date,
  body: () => new TextEncoder().encode(text),
});

function open(file: string, { maxBytes = 1_000_000, nowMs = (): number => 1 } = {}): ReportCache {
  const cache = openReportCache({ file, maxBytes, clock: { nowMs }, logger });
  onTestFinished(() => cache.dispose());
  return cache;
}

const bodyOf = (cache: ReportCache, of: ReportScope, date: string): string | null => {
  const found = cache.read(of, day(date));
  return found === null ? null : Buffer.from(found.body).toString();
};

test('a slice is found only with its exact profile, key, report, source, grouping and days', () => {
  const cache = open(join(tempFolder(), 'reports.sqlite'));
  cache.write(scope, [day('2026-11-01'), day('2026-11-02', '')], 50);
  expect(cache.readTimes(scope, [day('2026-11-01'), day('2026-11-02'), day('2026-11-03')])).toEqual([
    50,
    50,
    null,
  ]);
  expect(bodyOf(cache, scope, '2026-11-02')).toBe('');
  const others: Partial<ReportScope>[] = [
    { profile: 'p2' },
    { keyHash: 'b'.repeat(64) },
    { report: 'search' },
    { source: 7302 },
  ];
  for (const other of others) expect(bodyOf(cache, { ...scope, ...other }, '2026-11-01')).toBeNull();
  expect(cache.read(scope, { ...day('2026-11-01'), grouping: 'geo' })).toBeNull();
  expect(cache.read(scope, { grouping: 'day', from: '2026-11-01', to: '2026-11-02' })).toBeNull();
});

test('the cache file is private and survives a restart, and a slice that is read again replaces the earlier one', () => {
  const file = join(tempFolder(), 'reports.sqlite');
  const first = open(file);
  first.write(scope, [day('2026-11-01', 'early')], 50);
  expectMode(file, 0o600);
  first.dispose();
  const second = open(file);
  expect(bodyOf(second, scope, '2026-11-01')).toBe('early');
  second.write(scope, [day('2026-11-01', 'late')], 60);
  expect(second.read(scope, day('2026-11-01'))).toMatchObject({ readAtMs: 60 });
  expect(bodyOf(second, scope, '2026-11-01')).toBe('late');
});

test('the least recently used slices are deleted beyond the maximum size', () => {
  let nowMs = 0;
  const cache = open(join(tempFolder(), 'reports.sqlite'), { maxBytes: 300, nowMs: () => (nowMs += 1) });
  const wide = 'x'.repeat(100);
  for (const date of ['2026-11-01', '2026-11-02', '2026-11-03']) cache.write(scope, [day(date, wide)], 1);
  bodyOf(cache, scope, '2026-11-01');
  cache.write(scope, [day('2026-11-04', wide)], 1);
  const times = ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04'].map((date) => day(date));
  expect(cache.readTimes(scope, times)).toEqual([1, null, 1, 1]);
});

test('deleting the data of a profile or key removes it from the file and its log', () => {
  const file = join(tempFolder(), 'reports.sqlite');
  const cache = open(file);
  const newKey = { ...scope, keyHash: 'b'.repeat(64) };
  const kept = { ...scope, profile: 'p2' };
  cache.write(scope, [day('2026-11-01', 'figures-of-the-old-key')], 1);
  cache.write(newKey, [day('2026-11-01', 'figures-of-the-new-key')], 1);
  cache.write(kept, [day('2026-11-01', 'figures-of-another-profile')], 1);
  cache.useSource(scope);
  const onDisk = (): string =>
    ['', '-wal'].map((end) => (existsSync(file + end) ? readFileSync(file + end, 'latin1') : '')).join('');
  expect(onDisk()).toContain('figures-of-the-old-key');

  cache.forget('p1', newKey.keyHash);
  expect(onDisk()).not.toContain('figures-of-the-old-key');
  expect(cache.sources(scope)).toEqual({ tids: [], sids: [] });
  expect(bodyOf(cache, newKey, '2026-11-01')).toBe('figures-of-the-new-key');

  cache.forget('p1');
  expect(onDisk()).not.toContain('figures-of-the-new-key');
  expect(bodyOf(cache, kept, '2026-11-01')).toBe('figures-of-another-profile');
  cache.keepOnly(['demo']);
  expect(onDisk()).not.toContain('figures-of-another-profile');
});

test('used sources are remembered once each, for their key', () => {
  const cache = open(join(tempFolder(), 'reports.sqlite'));
  for (const source of [7302, 7301, 7302]) cache.useSource({ ...scope, source });
  cache.useSource({ ...scope, report: 'search', source: 411 });
  cache.useSource({ ...scope, report: 'search', source: 0 });
  expect(cache.sources(scope)).toEqual({ tids: [7301, 7302], sids: [411] });
  expect(cache.sources({ ...scope, keyHash: 'c' })).toEqual({ tids: [], sids: [] });
});

test.each<[string, (file: string) => void]>([
  [
    'no database',
    (file) => writeFileSync(file, 'not a database at all, but long enough to be looked at'.repeat(40)),
  ],
  [
    'of a newer Countersign',
    (file) => {
      const db = new BetterSqlite3(file);
      db.pragma('user_version = 99');
      db.close();
    },
  ],
  [
    'with other tables',
    (file) => {
      const db = new BetterSqlite3(file);
      db.exec('CREATE TABLE slice (id INTEGER)');
      db.pragma('user_version = 1');
      db.close();
    },
  ],
])('a cache file that is %s is replaced by a new one', (_name, spoil) => {
  const file = join(tempFolder(), 'reports.sqlite');
  spoil(file);
  const cache = open(file);
  cache.write(scope, [day('2026-11-01')], 1);
  expect(bodyOf(cache, scope, '2026-11-01')).toBe('2026-11-01');
});

test('damage that is found during use empties the cache, which continues to work', () => {
  const file = join(tempFolder(), 'reports.sqlite');
  const first = open(file);
  const wide = 'x'.repeat(60_000);
  first.write(
    scope,
    ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04'].map((date) => day(date, wide)),
    1,
  );
  first.dispose();
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0xee, 8_192));
  const second = open(file);
  expect(second.readTimes(scope, [day('2026-11-01')])).toEqual([null]);
  second.write(scope, [day('2026-11-01', 'again')], 2);
  expect(bodyOf(second, scope, '2026-11-01')).toBe('again');
});

test('a cache without a file works and leaves nothing on disk', () => {
  const cache = openReportCache({ file: null, maxBytes: 1_000, clock: { nowMs: () => 1 }, logger });
  cache.write(scope, [day('2026-11-01')], 1);
  cache.forget('p1');
  expect(bodyOf(cache, scope, '2026-11-01')).toBeNull();
  cache.dispose();
});
