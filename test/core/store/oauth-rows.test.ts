import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMemoryRows, createOAuthTables, createSqlRows } from '#core/store/oauth-rows.ts';
import type { OAuthRows } from '#core/store/oauth-rows.ts';

function sqlRows(): { rows: OAuthRows; end: () => void } {
  const db = new BetterSqlite3(':memory:');
  createOAuthTables(db);
  return { rows: createSqlRows(db), end: () => void db.close() };
}

const adapters = { memory: () => ({ rows: createMemoryRows(), end: () => {} }), SQL: sqlRows };

describe.each(Object.entries(adapters))('OAuth rows in %s', (_name, open) => {
  let rows: OAuthRows;
  let end: () => void;

  beforeEach(() => {
    ({ rows, end } = open());
  });
  afterEach(() => end());

  const add = (idHash: string, more: object = {}) =>
    rows.upsert({ model: 'Thing', idHash, payload: '{}', grantId: null, expiresAtMs: null, ...more });

  test('are found as stored, by model and hash', () => {
    add('a', { payload: '{"x":1}', grantId: 'g', expiresAtMs: 5 });
    expect(rows.find('Thing', 'a')).toEqual({
      model: 'Thing',
      idHash: 'a',
      payload: '{"x":1}',
      grantId: 'g',
      expiresAtMs: 5,
      consumedAtMs: null,
    });
    expect(rows.find('Other', 'a')).toBeNull();
    expect(rows.find('Thing', 'b')).toBeNull();
  });

  test('stay consumed when they are stored again', () => {
    add('a');
    rows.consume('Thing', 'a', 100);
    add('a', { payload: '{"y":2}', expiresAtMs: 9 });
    expect(rows.find('Thing', 'a')).toMatchObject({ payload: '{"y":2}', expiresAtMs: 9, consumedAtMs: 100 });
    expect(rows.count('Thing')).toBe(1);
  });

  test('are consumed by the first of several concurrent consumers, whose time is kept', () => {
    add('a');
    expect([1, 2, 3].map((atMs) => rows.consume('Thing', 'a', atMs))).toEqual([true, false, false]);
    expect(rows.find('Thing', 'a')?.consumedAtMs).toBe(1);
    expect(rows.consume('Thing', 'nobody', 1)).toBe(false);
    expect(rows.consume('Other', 'a', 1)).toBe(false);
  });

  test('are removed without affecting others', () => {
    add('a');
    add('b');
    rows.remove('Thing', 'a');
    rows.remove('Thing', 'nobody');
    expect([rows.find('Thing', 'a'), rows.find('Thing', 'b')?.idHash]).toEqual([null, 'b']);
  });

  test('are removed with their grant, whatever their model', () => {
    add('a', { grantId: 'g' });
    add('b', { grantId: 'g', model: 'Other' });
    add('c', { grantId: 'h' });
    add('g', { model: 'Grant' });
    rows.removeByGrant('g');
    expect(rows.find('Thing', 'a')).toBeNull();
    expect(rows.find('Other', 'b')).toBeNull();
    expect(rows.find('Thing', 'c')).not.toBeNull();
    expect(rows.find('Grant', 'g')).not.toBeNull();
  });

  test('are kept if they are the newest by last store or renewal', () => {
    for (const idHash of ['a', 'b', 'c', 'd']) add(idHash);
    add('elsewhere', { model: 'Other' });
    add('a');
    rows.renew('Thing', 'b', 77);
    rows.keepNewest('Thing', 2);
    expect(['a', 'b', 'c', 'd'].filter((idHash) => rows.find('Thing', idHash) !== null)).toEqual(['a', 'b']);
    expect(rows.find('Thing', 'b')?.expiresAtMs).toBe(77);
    expect(rows.count('Other')).toBe(1);
    rows.keepNewest('Thing', 5);
    expect(rows.count('Thing')).toBe(2);
    rows.keepNewest('Thing', 0);
    expect([rows.count('Thing'), rows.count('Other')]).toEqual([0, 1]);
  });

  test('are removed first if unconsumed, except in the newer half', () => {
    for (const idHash of ['a', 'b', 'c', 'd', 'e', 'f']) add(idHash);
    rows.consume('Thing', 'a', 1);
    rows.consume('Thing', 'b', 1);
    rows.keepNewest('Thing', 4);
    const left = () => ['a', 'b', 'c', 'd', 'e', 'f'].filter((idHash) => rows.find('Thing', idHash) !== null);
    expect(left()).toEqual(['a', 'b', 'e', 'f']);
    rows.keepNewest('Thing', 3);
    expect(left()).toEqual(['b', 'e', 'f']);
    rows.keepNewest('Thing', 1);
    expect(left()).toEqual(['f']);
  });

  test('are not created by renewing a missing row', () => {
    rows.renew('Thing', 'a', 5);
    expect(rows.count('Thing')).toBe(0);
  });

  test('are deleted exactly when they expire', () => {
    add('over', { expiresAtMs: 10 });
    add('now', { expiresAtMs: 11 });
    add('later', { expiresAtMs: 12 });
    add('never');
    rows.prune(11);
    expect(['over', 'now', 'later', 'never'].filter((idHash) => rows.find('Thing', idHash) !== null)).toEqual(
      ['later', 'never'],
    );
  });

  test('are returned as copies', () => {
    add('a');
    const row = rows.find('Thing', 'a');
    if (row !== null) row.payload = 'changed';
    expect(rows.find('Thing', 'a')?.payload).toBe('{}');
  });
});
