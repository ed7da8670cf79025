import type { CampaignRow, SortColumn, StatusCode } from '#shared/contract/index.ts';
import { foldedText, lowerCase } from '#shared/lib/folded-text.ts';
import { type Database, readAll, readFirst, readValue } from '../sqlite/database.ts';

export interface CampaignListQuery {
  uid: number;
  match: { kind: 'all' } | { kind: 'cid'; cid: number } | { kind: 'text'; text: string };
  status: StatusCode | null;
  types: readonly number[];
  sort: SortColumn;
  order: 'asc' | 'desc';
  offset: number;
  limit: number;
}

export const newestFirst = {
  match: { kind: 'all' },
  status: null,
  types: [],
  sort: 'cid',
  order: 'desc',
  offset: 0,
} as const satisfies Omit<CampaignListQuery, 'uid' | 'limit'>;

export interface CampaignListPage {
  rows: readonly string[];
  total: number;
}

type Keys = Readonly<Record<SortColumn, string | number> & Pick<CampaignRow, 'cid' | 'uid' | 'status'>>;

interface ListedCampaign {
  type: number;
  name: string;
  keys: Keys;
  row: string;
}

interface StoredCampaign {
  cid: number;
  uid: number;
  type: number;
  row: string;
}

/** The campaign list of contract §4.1, held in memory and updated before each read. */
export interface CampaignList {
  read(query: CampaignListQuery): CampaignListPage;
  /** Call it after each write of this connection. Writes of other connections are detected. */
  changed(cid: number): void;
}

export function createCampaignList(db: Database): CampaignList {
  const select = 'SELECT cid, uid, type, row FROM campaign';
  const all = readAll(db, select, listed);
  const one = readFirst(db, `${select} WHERE cid = ?`, listed);
  const versionOfOthers = readValue<number>(db, 'PRAGMA data_version');
  let table: ReturnType<typeof createCampaignTable> | null = null;
  let version: number | null = null;
  const changed = new Set<number>();

  const refresh = (): NonNullable<typeof table> => {
    const now = versionOfOthers();
    let known = now === version ? table : null;
    for (const cid of known === null ? [] : changed) {
      const stored = one(cid);
      if (stored === null || !known?.update(stored)) known = null;
    }
    table = known ?? createCampaignTable(all());
    version = now;
    // A transaction may be rolled back, so campaigns changed in it are read again afterwards.
    if (!db.inTransaction) changed.clear();
    return table;
  };

  return {
    read: (query) => refresh().read(query),
    changed: (cid) => void changed.add(cid),
  };
}

/** Values used by filters are in separate arrays, because visiting 100,000 objects takes too long. */
function createCampaignTable(campaigns: ListedCampaign[]) {
  const placeOfCid = new Map(campaigns.map(({ keys }, place) => [keys.cid, place]));
  const statuses = Int32Array.from(campaigns, ({ keys }) => keys.status);
  const types = Int32Array.from(campaigns, ({ type }) => type);
  const orders = new Map<string, { places: number[]; uid: number; sort: SortColumn }>();
  let names: ReturnType<typeof searchableNames> | null = null;
  const campaignAt = (place: number): ListedCampaign => required(campaigns[place]);
  const keysAt = (place: number): Keys => campaignAt(place).keys;

  function orderOf({ uid, sort }: CampaignListQuery): number[] {
    const key = `${uid} ${sort}`;
    const known = orders.get(key);
    if (known !== undefined) return known.places;
    const places = [...campaigns.keys()].filter((place) => keysAt(place).uid === uid);
    places.sort((a, b) => compare(keysAt(a), keysAt(b), sort));
    orders.set(key, { places, uid, sort });
    return places;
  }

  function searchNames(text: string): Uint8Array {
    names ??= searchableNames(campaigns);
    return names.containing(text);
  }

  function filterOf({
    match,
    status,
    types: wanted,
  }: CampaignListQuery): ((place: number) => boolean) | null {
    if (match.kind === 'all' && status === null && wanted.length === 0) return null;
    const cidPlace = match.kind === 'cid' ? placeOfCid.get(match.cid) : null;
    const named = match.kind === 'text' ? searchNames(foldedText(match.text)) : null;
    return (place) =>
      (status === null || statuses[place] === status) &&
      (wanted.length === 0 || wanted.includes(types[place] ?? 0)) &&
      (cidPlace === null || cidPlace === place) &&
      (named === null || named[place] === 1);
  }

  return {
    read(query: CampaignListQuery): CampaignListPage {
      const { places, total } = pageOf(orderOf(query), filterOf(query), query);
      return { rows: places.map((place) => campaignAt(place).row), total };
    },
    update(now: ListedCampaign): boolean {
      const place = placeOfCid.get(now.keys.cid);
      if (place === undefined) return false;
      const before = campaignAt(place);
      const affected = [...orders.values()].filter(
        ({ uid, sort }) => before.keys.uid === uid && before.keys[sort] !== now.keys[sort],
      );
      for (const { places, sort } of affected) places.splice(rankOf(places, keysAt, before.keys, sort), 1);
      campaigns[place] = now;
      for (const { places, sort } of affected)
        places.splice(rankOf(places, keysAt, now.keys, sort), 0, place);
      statuses[place] = now.keys.status;
      types[place] = now.type;
      if (before.name !== now.name) names = null;
      return true;
    },
  };
}

/** Joins all names: one search through a long text is several times faster than a search in each name. */
function searchableNames(campaigns: readonly ListedCampaign[]) {
  const joined = campaigns.map(({ name }) => `${name}\n`).join('');
  let end = 0;
  const ends = Int32Array.from(campaigns, ({ name }) => (end += name.length + 1));
  const endAt = (place: number): number => ends[place] ?? joined.length;
  return {
    /** Contains `1` at the place of each matching campaign. */
    containing(text: string): Uint8Array {
      const found = new Uint8Array(campaigns.length);
      let place = 0;
      for (let at = joined.indexOf(text); at !== -1;) {
        while (endAt(place) <= at) place += 1;
        // A search text with a line end may match across two names, which does not count.
        const isInName = at + text.length < endAt(place);
        if (isInName) found[place] = 1;
        at = joined.indexOf(text, isInName ? endAt(place) : at + 1);
      }
      return found;
    },
  };
}

function rankOf(
  places: readonly number[],
  keysAt: (place: number) => Keys,
  keys: Keys,
  sort: SortColumn,
): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(keysAt(required(places[middle])), keys, sort) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function compare(a: Keys, b: Keys, sort: SortColumn): number {
  if (a[sort] === b[sort]) return a.cid - b.cid;
  return a[sort] < b[sort] ? -1 : 1;
}

function pageOf(
  ascending: readonly number[],
  matches: ((place: number) => boolean) | null,
  { order, offset, limit }: CampaignListQuery,
): { places: number[]; total: number } {
  const count = ascending.length;
  const at = (rank: number): number => required(ascending[order === 'asc' ? rank : count - 1 - rank]);
  const places: number[] = [];
  if (matches === null) {
    for (let rank = offset; rank < Math.min(offset + limit, count); rank += 1) places.push(at(rank));
    return { places, total: count };
  }
  let total = 0;
  for (let rank = 0; rank < count; rank += 1) {
    const place = at(rank);
    if (!matches(place)) continue;
    if (total >= offset && places.length < limit) places.push(place);
    total += 1;
  }
  return { places, total };
}

function required<Element>(element: Element | undefined): Element {
  if (element === undefined) throw new Error('This place is outside the table');
  return element;
}

function listed({ uid, type, row: text }: StoredCampaign): ListedCampaign {
  const row = JSON.parse(text) as CampaignRow;
  const name = foldedText(row.name);
  const keys = {
    ...row,
    uid,
    name: inCodePointOrder(lowerCase(row.name)),
    type_name: inCodePointOrder(row.type_name),
    website: inCodePointOrder(row.website),
    geo: inCodePointOrder(row.geo.join(',')),
  };
  return { type, name, keys, row: text };
}

/** Makes code units sort like code points: surrogates, which encode the highest code points, trade places with the units above them. */
function inCodePointOrder(text: string): string {
  return text.replaceAll(/[\ud800-\uffff]/g, (unit) => {
    const code = unit.charCodeAt(0);
    return String.fromCharCode(code < 0xe000 ? code + 0x2000 : code - 0x800);
  });
}
