import type { Database } from '../sqlite/index.ts';

/** The scope of a publisher key (contract §5.2). */
export type PublisherScope = 'publisher:xml:read' | 'publisher:search:read';

/** A publisher key as it is stored: never its text. */
export interface PublisherKey {
  /** The account of the statistics that it reads. */
  uid: number;
  scopes: readonly PublisherScope[];
  /** The only TIDs that it may read; null for all of the owner's. */
  tids: readonly number[] | null;
  /** The only feeds that it may read; null for all of the owner's. */
  feeds: readonly number[] | null;
}

/** The publisher keys of one tenant, by the SHA-256 of their text. What changes them goes inside a transaction. */
export interface PublisherKeys {
  /** The living key; null when it is unknown or revoked. */
  find(hash: string): PublisherKey | null;
  add(hash: string, key: PublisherKey & { isDemo: boolean }): void;
  revoke(hash: string): void;
  /** Number of Demo's keys, revoked ones included. */
  countDemo(): number;
  removeDemo(): void;
}

interface KeyRow {
  uid: number;
  scopes: string;
  tids: string | null;
  feeds: string | null;
}

/** The keys behind one connection. */
export function createPublisherKeys(db: Database): PublisherKeys {
  const find = db.prepare<[string], KeyRow>(
    'SELECT uid, scopes, tids, feeds FROM publisher_key WHERE hash = ? AND is_revoked = 0',
  );
  const add = db.prepare(
    'INSERT INTO publisher_key (hash, uid, scopes, tids, feeds, is_demo, is_revoked) VALUES (?, ?, ?, ?, ?, ?, 0)',
  );
  const revoke = db.prepare('UPDATE publisher_key SET is_revoked = 1 WHERE hash = ?');
  const countDemo = db.prepare<[], number>('SELECT count(*) FROM publisher_key WHERE is_demo = 1').pluck();
  const removeDemo = db.prepare('DELETE FROM publisher_key WHERE is_demo = 1');
  return {
    find(hash) {
      const row = find.get(hash);
      return row === undefined ? null : keyOf(row);
    },
    add(hash, { uid, scopes, tids, feeds, isDemo }) {
      add.run(hash, uid, JSON.stringify(scopes), listText(tids), listText(feeds), isDemo ? 1 : 0);
    },
    revoke: (hash) => void revoke.run(hash),
    countDemo: () => countDemo.get() ?? 0,
    removeDemo: () => void removeDemo.run(),
  };
}

function keyOf({ uid, scopes, tids, feeds }: KeyRow): PublisherKey {
  return {
    uid,
    scopes: JSON.parse(scopes) as PublisherScope[],
    tids: tids === null ? null : (JSON.parse(tids) as number[]),
    feeds: feeds === null ? null : (JSON.parse(feeds) as number[]),
  };
}

function listText(list: readonly number[] | null): string | null {
  return list === null ? null : JSON.stringify(list);
}
