import type { CampaignRow, SortColumn, StatusCode } from '#shared/contract/index.ts';
import { foldedText, lowerCase } from '#shared/lib/folded-text.ts';
import { type Database, readColumn } from '../sqlite/database.ts';

/** The query of the list, already checked. */
export interface CampaignListQuery {
  uid: number;
  /** An exact campaign id, or a part of the name in any case, or neither. */
  match: { kind: 'all' } | { kind: 'cid'; cid: number } | { kind: 'text'; text: string };
  status: StatusCode | null;
  /** Empty means every type. */
  types: readonly number[];
  sort: SortColumn;
  order: 'asc' | 'desc';
  offset: number;
  limit: number;
}

/** The first page of every campaign, the newest first. */
export const newestFirst = {
  match: { kind: 'all' },
  status: null,
  types: [],
  sort: 'cid',
  order: 'desc',
  offset: 0,
} as const satisfies Omit<CampaignListQuery, 'uid' | 'limit'>;

/** One page: rows as JSON texts, ready to be sent, and how many there are in all. */
export interface CampaignListPage {
  rows: readonly string[];
  total: number;
}

type Keys = Readonly<Record<SortColumn, string | number> & Pick<CampaignRow, 'cid' | 'uid' | 'status'>>;

interface ListedCampaign {
  type: number;
  /** In the form in which names are searched. */
  name: string;
  keys: Keys;
  /** The row as JSON text, as it is sent. */
  row: string;
}

interface StoredCampaign {
  cid: number;
  /** The owner, whatever the row says. */
  uid: number;
  type: number;
  row: string;
}

/** The list of campaigns (contract §4.1), kept in memory and brought up to date before each read. */
export interface CampaignList {
  read(query: CampaignListQuery): CampaignListPage;
  /** Call with each campaign that this connection writes. Writes of other connections are noticed. */
  changed(cid: number): void;
}

export function createCampaignList(db: Database): CampaignList {
  const all = db.prepare<[], StoredCampaign>('SELECT cid, uid, type, row FROM campaign');
  const one = db.prepare<[number], StoredCampaign>('SELECT cid, uid, type, row FROM campaign WHERE cid = ?');
  const versionOfOthers = readColumn<[], number>(db, 'PRAGMA data_version');
  let table: CampaignTable | null = null;
  let version: number | undefined;
  const changed = new Set<number>();

  const refresh = (): CampaignTable => {
    const now = versionOfOthers.get();
    let known = now === version ? table : null;
    for (const cid of known === null ? [] : changed) {
      const stored = one.get(cid);
      if (stored === undefined || !known?.update(listed(stored))) known = null;
    }
    table = known ?? createCampaignTable(all.all().map(listed));
    version = now;
    // Changes inside a transaction may still be rolled back, so they are read once more after it.
    if (!db.inTransaction) changed.clear();
    return table;
  };

  return {
    read: (query) => refresh().read(query),
    changed: (cid) => void changed.add(cid),
  };
}

interface CampaignTable {
  read(query: CampaignListQuery): CampaignListPage;
  /** Gives a campaign its new values; false when the table does not contain it. */
  update(now: ListedCampaign): boolean;
}

/**
 * Filtered values have arrays of their own: at 100,000 campaigns the objects are too far apart to visit all of them in
 * time.
 */
function createCampaignTable(campaigns: ListedCampaign[]): CampaignTable {
  const placeOfCid = new Map(campaigns.map(({ keys }, place) => [keys.cid, place]));
  const statuses = Int32Array.from(campaigns, ({ keys }) => keys.status);
  const types = Int32Array.from(campaigns, ({ type }) => type);
  const orders = new Map<string, { places: number[]; uid: number; sort: SortColumn }>();
  let names: SearchableNames | null = null;
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
    read(query) {
      const { places, total } = pageOf(orderOf(query), filterOf(query), query);
      return { rows: places.map((place) => campaignAt(place).row), total };
    },
    update(now) {
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

interface SearchableNames {
  /** 1 at the place of each campaign whose name contains the folded text. */
  containing(text: string): Uint8Array;
}

/** Joins all names, since one search through a long text is several times faster than one through each name. */
function searchableNames(campaigns: readonly ListedCampaign[]): SearchableNames {
  const joined = campaigns.map(({ name }) => `${name}\n`).join('');
  let end = 0;
  const ends = Int32Array.from(campaigns, ({ name }) => (end += name.length + 1));
  const endAt = (place: number): number => ends[place] ?? joined.length;
  return {
    containing(text) {
      const found = new Uint8Array(campaigns.length);
      let place = 0;
      for (let at = joined.indexOf(text); at !== -1;) {
        while (endAt(place) <= at) place += 1;
        // A text with a line end may begin in one name and end in the next.
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

/** The places of one page, and how many match in all; a descending list is the ascending one read from its end. */
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

/** A text whose UTF-16 order is that of code points: surrogates, which encode the highest, trade places. */
function inCodePointOrder(text: string): string {
  return text.replaceAll(/[\ud800-\uffff]/g, (unit) => {
    const code = unit.charCodeAt(0);
    return String.fromCharCode(code < 0xe000 ? code + 0x2000 : code - 0x800);
  });
}
