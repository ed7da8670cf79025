import type { Connection, Connections } from '#core/connections/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import { concurrentReads, mapConcurrently } from '#core/platform/work-queues.ts';
import { readConsistentRows } from '#core/service-client/index.ts';
import { type CampaignRow, listLimits } from '#shared/contract/index.ts';
import {
  type CachedListRow,
  type CampaignCache,
  type CachedReason,
  oldestRead,
  orCached,
} from './campaign-cache.ts';

export interface AccountRows {
  rows: readonly CampaignRow[];
  readAtMs: number;
  cached: CachedReason | null;
}

/** The list of the account's campaigns. It is read once, and again for campaigns that changed. */
export interface AccountList {
  /** With `again`, reads the rows again. While the service is away, returns cached rows. Fails as the member client does. */
  rows(again: boolean): Promise<AccountRows>;
  known(): readonly CampaignRow[];
  /** The number of rows read so far; null unless the complete list is being read. */
  readCount(): number | null;
  /** An empty list means any campaign. */
  changed(cids: readonly number[]): void;
}

export interface AccountListOptions {
  connections: Pick<Connections, 'current' | 'of'>;
  campaignCache: Pick<CampaignCache, 'keepRows' | 'keepAccount' | 'rows'>;
  clock: Clock;
  onProgress(): void;
}

/** With more changed campaigns than this, one read of the complete list is cheaper. */
const maxSingleReads = 20;

const maxAgeMs = 5 * 60_000;

interface Read {
  list: AccountRows;
  isWhole: boolean;
}

interface KnownList {
  list: AccountRows | null;
  changed: Set<number> | 'any';
  reading: Promise<AccountRows> | null;
  readCount: number | null;
}

export function createAccountList(options: AccountListOptions): AccountList {
  const { connections, campaignCache, clock, onProgress } = options;
  const ofConnection = new WeakMap<Connection, KnownList>();

  function knownOf(connection: Connection): KnownList {
    const known = ofConnection.get(connection) ?? {
      list: null,
      changed: new Set<number>(),
      reading: null,
      readCount: null,
    };
    ofConnection.set(connection, known);
    return known;
  }

  function progress(known: KnownList, readCount: number | null): void {
    known.readCount = readCount;
    onProgress();
  }

  async function readAll({ member }: Connection, known: KnownList): Promise<Read> {
    const readAtMs = clock.nowMs();
    const { rows, isConsistent: isSteady } = await readConsistentRows(member, {
      onPage: (count) => progress(known, count),
    });
    return { list: { rows, readAtMs, cached: null }, isWhole: isSteady };
  }

  async function readSome({ member }: Connection, list: AccountRows, cids: readonly number[]): Promise<Read> {
    const fresh = new Map<number, CampaignRow>();
    await mapConcurrently(cids, concurrentReads, async (cid) => {
      const { data } = await member.list({
        query: String(cid),
        page: listLimits.firstPage,
        perPage: listLimits.maxPerPage,
      });
      const row = data.find((one) => one.cid === cid);
      if (row !== undefined) fresh.set(cid, row);
    });
    const others = list.rows.filter(({ cid }) => !cids.includes(cid));
    return { list: { ...list, rows: [...others, ...fresh.values()], cached: null }, isWhole: false };
  }

  async function read(connection: Connection, known: KnownList): Promise<AccountRows> {
    const { list, changed } = known;
    known.changed = new Set();
    try {
      const some = list !== null && changed !== 'any' && changed.size > 0 && changed.size <= maxSingleReads;
      const fresh = await (some ? readSome(connection, list, [...changed]) : readAll(connection, known));
      const { id } = connection.profile;
      if (connections.of(id) === connection)
        campaignCache[fresh.isWhole ? 'keepAccount' : 'keepRows'](id, fresh.list.rows);
      known.list = fresh.list;
      return fresh.list;
    } catch (failure) {
      known.changed = 'any';
      throw failure;
    } finally {
      known.reading = null;
      if (known.readCount !== null) progress(known, null);
    }
  }

  /** A running read may have read a row before it changed, so another read follows. */
  async function current(connection: Connection, known: KnownList): Promise<AccountRows> {
    if (known.reading !== null) await known.reading;
    if (known.reading === null) {
      const { list, changed } = known;
      if (list !== null && clock.nowMs() - list.readAtMs > maxAgeMs) known.changed = 'any';
      else if (list !== null && changed !== 'any' && changed.size === 0) return list;
      known.reading = read(connection, known);
    }
    return known.reading;
  }

  return {
    async rows(again) {
      const connection = connections.current();
      const known = knownOf(connection);
      if (again) known.changed = 'any';
      return orCached(
        { ...connection, clock },
        current(connection, known),
        () => known.list ?? cachedList(campaignCache.rows(connection.profile.id)),
      );
    },
    readCount: () => knownOf(connections.current()).readCount,
    known: () => knownOf(connections.current()).list?.rows ?? [],
    changed(cids) {
      const known = knownOf(connections.current());
      if (cids.length === 0) known.changed = 'any';
      else if (known.changed !== 'any') for (const cid of cids) known.changed.add(cid);
    },
  };
}

function cachedList(rows: readonly CachedListRow[]): Omit<AccountRows, 'cached'> | null {
  const readAtMs = oldestRead(rows);
  return readAtMs === null ? null : { rows: rows.map(({ row }) => row), readAtMs };
}
