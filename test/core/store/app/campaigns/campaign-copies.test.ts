import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#core/platform/clock.ts';
import { silentLogger } from '#core/platform/logger.ts';
import { openAppStore, type AppStore } from '#core/store/app/index.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';

const demo = { profileId: 'demo', account: '7' };

function open(): { copies: AppStore['campaignCopies']; folder: string } {
  const folder = tempFolder();
  const store = openAppStore({ folder, clock: systemClock, logger: silentLogger });
  onTestFinished(() => store.dispose());
  return { copies: store.campaignCopies, folder };
}

const copy = (day: number, name = 'First') => ({
  day: `2026-11-0${day}`,
  atMs: day,
  body: JSON.stringify({ name }),
});

test('the first copy of a campaign and day is kept, and the newest day is listed first', () => {
  const { copies } = open();
  copies.keep(demo, 1, copy(1));
  copies.keep(demo, 1, copy(1, 'Second'));
  copies.keep(demo, 1, copy(2, 'Next day'));
  copies.keep(demo, 2, copy(1, 'Another campaign'));
  expect(copies.of(demo, 1)).toEqual([
    { day: '2026-11-02', atMs: 2, campaign: { name: 'Next day' } },
    { day: '2026-11-01', atMs: 1, campaign: { name: 'First' } },
  ]);
});

test('copies are visible only to their account and profile, and are deleted with the profile', () => {
  const { copies } = open();
  const [neighbour, other] = [
    { ...demo, account: '8' },
    { ...demo, profileId: 'other' },
  ];
  copies.keep(demo, 1, copy(1));
  copies.keep(other, 1, copy(1));
  expect(copies.of(neighbour, 1)).toEqual([]);
  copies.keep(neighbour, 1, copy(1));
  copies.forget('demo');
  expect([demo, neighbour, other].map((scope) => copies.of(scope, 1).length)).toEqual([0, 0, 1]);
});

test('copies that are too old are deleted, then the oldest beyond the maximum number', () => {
  const { copies } = open();
  for (let day = 1; day <= 6; day += 1) copies.keep(demo, day, copy(day));
  const left = () => [1, 2, 3, 4, 5, 6].filter((cid) => copies.of(demo, cid).length > 0);
  copies.prune({ beforeMs: 3, max: 10 });
  expect(left()).toEqual([3, 4, 5, 6]);
  copies.prune({ beforeMs: 0, max: 2 });
  expect(left()).toEqual([5, 6]);
});

test.each(['{"name":', 'no text', '', '[]'])('an unreadable copy is skipped: %s', (body) => {
  const { copies, folder } = open();
  copies.keep(demo, 1, copy(1));
  copies.keep(demo, 1, copy(2));
  const db = new BetterSqlite3(join(folder, 'countersign.sqlite'));
  db.prepare('UPDATE campaign_copy SET body = ? WHERE at_ms = 2').run(body);
  db.close();
  expect(copies.of(demo, 1).map(({ atMs }) => atMs)).toEqual([1]);
});

test('a copy stored as JSON text by an earlier build can be read', () => {
  const { copies, folder } = open();
  copies.keep(demo, 1, copy(1));
  const db = new BetterSqlite3(join(folder, 'countersign.sqlite'));
  db.prepare('UPDATE campaign_copy SET body = ?').run('{"name":"Earlier"}');
  db.close();
  expect(copies.of(demo, 1).map(({ campaign }) => campaign)).toEqual([{ name: 'Earlier' }]);
});
