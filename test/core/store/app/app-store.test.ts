import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock as clock } from '#core/platform/clock.ts';
import { silentLogger as logger } from '#core/platform/logger.ts';
import { openAppStore, type AppStore, type LedgerRow } from '#core/store/app/index.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';

function openStore(folder = tempFolder()): AppStore {
  const store = openAppStore({ folder, clock, logger });
  onTestFinished(() => store.dispose());
  return store;
}

const row = (seq: number): LedgerRow => ({
  seq,
  atMs: 1_000 + seq,
  kind: 'test',
  proposalId: null,
  actor: 'You',
  via: null,
  summary: `Row ${seq}`,
  body: '{}',
  previousHash: `hash ${seq - 1}`,
  hash: `hash ${seq}`,
  keyId: 'key',
  signature: 'signature',
});

test('using a closed store fails like a storage failure', async () => {
  const store = openStore();
  await store.dispose();
  const refusal: unknown = expect.objectContaining({ code: 'storage_failed' });
  expect(() => store.oauth.find('Thing', 'a')).toThrow(refusal);
  expect(() => store.settings.get('a')).toThrow(refusal);
});

describe('a database transaction', () => {
  test('stores all of its work or none', () => {
    const store = openStore();
    expect(() =>
      store.transaction(() => {
        store.settings.set('port', '4100');
        store.ledger.append(row(1));
        throw new Error('second thoughts');
      }),
    ).toThrow('second thoughts');
    expect(store.settings.get('port')).toBeNull();
    expect(store.ledger.count()).toBe(0);
  });

  test('inside another transaction joins it and can fail alone', () => {
    const store = openStore();
    store.transaction(() => {
      store.settings.set('outer', 'kept');
      expect(() =>
        store.transaction(() => {
          store.settings.set('inner', 'lost');
          throw new Error('only this');
        }),
      ).toThrow('only this');
    });
    expect(store.settings.get('outer')).toBe('kept');
    expect(store.settings.get('inner')).toBeNull();
  });

  test('cannot be asynchronous', () => {
    const store = openStore();
    expect(() => store.transaction(async () => store.settings.set('port', '4100'))).toThrow(TypeError);
    expect(store.settings.get('port')).toBeNull();
  });
});

describe('a callback after a commit', () => {
  test('runs once, in order, when other connections can see the rows', () => {
    const folder = tempFolder();
    const store = openStore(folder);
    const other = new BetterSqlite3(join(folder, 'countersign.sqlite'), { readonly: true });
    onTestFinished(() => void other.close());
    const seen: unknown[] = [];
    const look = () => other.prepare('SELECT count(*) FROM setting').pluck().get();
    store.transaction(() => {
      store.settings.set('port', '4100');
      store.afterCommit(() => seen.push(['first', look()]));
      store.transaction(() => store.afterCommit(() => seen.push(['second', look()])));
      expect(seen).toEqual([]);
    });
    expect(seen).toEqual([
      ['first', 1],
      ['second', 1],
    ]);
    store.transaction(() => {});
    expect(seen).toHaveLength(2);
  });

  test('never runs for a transaction that was rolled back', () => {
    const store = openStore();
    const calls: string[] = [];
    store.transaction(() => {
      store.afterCommit(() => calls.push('outer'));
      expect(() =>
        store.transaction(() => {
          store.afterCommit(() => calls.push('inner'));
          throw new Error('no');
        }),
      ).toThrow('no');
    });
    expect(calls).toEqual(['outer']);
  });

  test('cannot fail the acknowledged write', () => {
    const store = openStore();
    const calls: string[] = [];
    store.transaction(() => {
      store.afterCommit(() => {
        throw new Error('too late');
      });
      store.afterCommit(() => calls.push('next'));
    });
    expect(calls).toEqual(['next']);
  });

  test('needs a transaction', () => {
    expect(() => openStore().afterCommit(() => {})).toThrow('outside a transaction');
  });
});

describe('ledger rows', () => {
  test('can be added but neither changed nor removed', () => {
    const folder = tempFolder();
    openStore(folder).ledger.append(row(1));
    const other = new BetterSqlite3(join(folder, 'countersign.sqlite'));
    onTestFinished(() => void other.close());
    expect(() => other.exec("UPDATE ledger SET summary = 'other'")).toThrow('never changed');
    expect(() => other.exec('DELETE FROM ledger')).toThrow('never removed');
  });
});

test('settings survive a restart', async () => {
  const folder = tempFolder();
  const first = openAppStore({ folder, clock, logger });
  first.settings.set('port', '4100');
  first.settings.set('port', '4101');
  await first.dispose();
  expect(openStore(folder).settings.get('port')).toBe('4101');
});
