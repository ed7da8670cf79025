import type { CampaignRow, SortColumn, StatusCode } from '#shared/contract/index.ts';
import { foldedText, lowerCase } from '#shared/lib/folded-text.ts';
import { type Database, readFirst, readValue, readValues } from '../sqlite/database.ts';

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

/** The campaign list of contract §4.1. */
export interface CampaignList {
  read(query: CampaignListQuery): CampaignListPage;
  /** Call it after each write of this connection. Writes of other connections are detected. */
  changed(cid: number): void;
}

export function createCampaignList(db: Database): CampaignList {
  const inOrderOfIds = createListById(db);
  const rowOf = readValue<string>(db, 'SELECT row FROM campaign WHERE cid = ?');
  const one = readFirst<StoredCampaign>(db, 'SELECT cid, uid, type, row FROM campaign WHERE cid = ?');
  const versionOfOthers = readValue<number>(db, 'PRAGMA data_version');
  const readColumn = createColumnReader(db);
  let table: ReturnType<typeof createCampaignTable> | null = null;
  let version: number | null = null;
  const changed = new Set<number>();

  const refresh = (isUncommitted: boolean): NonNullable<typeof table> => {
    const now = versionOfOthers();
    let known = now === version ? table : null;
    for (const cid of known === null ? [] : changed) {
      const stored = one(cid);
      if (stored === null || !known?.update(stored)) known = null;
    }
    const current = known ?? createCampaignTable(readColumn);
    // A transaction may be rolled back, so campaigns changed in it are read again afterwards.
    if (isUncommitted) return current;
    table = current;
    version = now;
    changed.clear();
    return current;
  };
  const readAtOnce = db.transaction((query: CampaignListQuery, isUncommitted: boolean): CampaignListPage => {
    if (isInOrderOfIds(query)) return inOrderOfIds(query);
    const { cids, total } = refresh(isUncommitted).read(query);
    return { rows: cids.map((cid) => required(rowOf(cid))), total };
  });

  return {
    read: (query) => readAtOnce(query, db.inTransaction),
    changed(cid) {
      if (table !== null) changed.add(cid);
    },
  };
}

function isInOrderOfIds({ match, types, sort }: CampaignListQuery): boolean {
  return match.kind !== 'text' && types.length === 0 && sort === 'cid';
}

/** The conditions are those of the indexes `campaign_by_owner` and `campaign_by_status`. */
function createListById(db: Database): (query: CampaignListQuery) => CampaignListPage {
  const all = createRange(db, 'uid = :uid');
  const withStatus = createRange(db, `uid = :uid AND row ->> '$.status' = :status`);
  return ({ uid, match, status, order, offset, limit }) => {
    const [first, last] =
      match.kind === 'cid' ? [match.cid, match.cid] : [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
    const range = { uid, first, last, ...(status === null ? {} : { status }) };
    const { pages, total } = status === null ? all : withStatus;
    return { rows: pages[order]({ ...range, limit, offset }), total: total(range) ?? 0 };
  };
}

function createRange(db: Database, owned: string) {
  const matching = `FROM campaign WHERE ${owned} AND cid BETWEEN :first AND :last`;
  const page = (order: 'asc' | 'desc') =>
    readValues<string>(db, `SELECT row ${matching} ORDER BY cid ${order} LIMIT :limit OFFSET :offset`);
  return {
    pages: { asc: page('asc'), desc: page('desc') },
    total: readValue<number>(db, `SELECT count(*) ${matching}`),
  };
}

interface StoredCampaign {
  cid: number;
  uid: number;
  type: number;
  row: string;
}

type ColumnName = SortColumn | 'uid' | 'type' | 'folded';
type Value = string | number;
type ColumnReader = (name: ColumnName) => Value[];

const ownColumns: readonly ColumnName[] = ['cid', 'uid', 'type'];

function createColumnReader(db: Database): ColumnReader {
  return (name) => {
    if (ownColumns.includes(name))
      return readValues<Value>(db, `SELECT ${name} FROM campaign ORDER BY cid`)();
    const member = name === 'folded' ? 'name' : name;
    const select = db.prepare<[], string>(`SELECT row -> '$.${member}' FROM campaign ORDER BY cid`).pluck();
    // One row after the other: the texts of all rows at once would take tens of megabytes.
    return Array.from(select.iterate(), (text) => valueOf(name, JSON.parse(text)));
  };
}

/** A value in the form in which campaigns are compared, or searched in `folded`. */
function valueOf(name: ColumnName, member: unknown): Value {
  if (typeof member === 'number') return member;
  if (Array.isArray(member)) return inCodePointOrder(member.join(','));
  const text = String(member);
  if (name === 'folded') return foldedText(text);
  return inCodePointOrder(name === 'name' ? lowerCase(text) : text);
}

/** Reads a column when a query first needs it, and keeps it. */
function createCampaignTable(readColumn: ColumnReader) {
  const columns = new Map<ColumnName, Value[]>();
  const columnOf = (name: ColumnName): Value[] => {
    const values = columns.get(name) ?? readColumn(name);
    columns.set(name, values);
    return values;
  };
  const cids = columnOf('cid') as number[];
  const placeOfCid = new Map(cids.map((cid, place) => [cid, place]));
  const orders = new Map<string, { places: number[]; uid: number; sort: SortColumn }>();
  let names: ReturnType<typeof searchableNames> | null = null;

  const compareBy = (sort: SortColumn) => {
    const values = columnOf(sort);
    return (a: number, b: number): number => {
      const [left, right] = [required(values[a]), required(values[b])];
      if (left === right) return a - b;
      return left < right ? -1 : 1;
    };
  };

  function orderOf({ uid, sort }: CampaignListQuery): number[] {
    const key = `${uid} ${sort}`;
    const known = orders.get(key);
    if (known !== undefined) return known.places;
    const uids = columnOf('uid');
    const places = [...cids.keys()].filter((place) => uids[place] === uid);
    if (sort !== 'cid') places.sort(compareBy(sort));
    orders.set(key, { places, uid, sort });
    return places;
  }

  function searchNames(text: string): Uint8Array {
    names ??= searchableNames(columnOf('folded') as string[]);
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
    const statuses = status === null ? null : columnOf('status');
    const types = wanted.length === 0 ? null : columnOf('type');
    return (place) =>
      (statuses === null || statuses[place] === status) &&
      (types === null || wanted.includes(Number(types[place]))) &&
      (cidPlace === null || cidPlace === place) &&
      (named === null || named[place] === 1);
  }

  return {
    read(query: CampaignListQuery): { cids: number[]; total: number } {
      const { places, total } = pageOf(orderOf(query), filterOf(query), query);
      return { cids: places.map((place) => required(cids[place])), total };
    },
    update({ row: text, ...stored }: StoredCampaign): boolean {
      const place = placeOfCid.get(stored.cid);
      if (place === undefined) return false;
      const row = { ...(JSON.parse(text) as CampaignRow), ...stored };
      const values = [...columns].map(([name, column]) => {
        return { name, column, value: valueOf(name, row[name === 'folded' ? 'name' : name]) };
      });
      const changed = values.filter(({ column, value }) => column[place] !== value);
      const isChanged = (name: ColumnName): boolean => changed.some((one) => one.name === name);
      // A list of one owner is made again if a campaign gets another owner.
      if (isChanged('uid')) return false;
      const affected = [...orders.values()].filter(({ uid, sort }) => uid === stored.uid && isChanged(sort));
      for (const { places, sort } of affected) places.splice(rankOf(places, place, compareBy(sort)), 1);
      for (const { column, value } of changed) column[place] = value;
      for (const { places, sort } of affected)
        places.splice(rankOf(places, place, compareBy(sort)), 0, place);
      if (isChanged('folded')) names = null;
      return true;
    },
  };
}

/** Joins all names: one search through a long text is several times faster than a search in each name. */
function searchableNames(names: readonly string[]) {
  const joined = names.map((name) => `${name}\n`).join('');
  let end = 0;
  const ends = Int32Array.from(names, (name) => (end += name.length + 1));
  const endAt = (place: number): number => ends[place] ?? joined.length;
  return {
    /** Contains `1` at the place of each matching campaign. */
    containing(text: string): Uint8Array {
      const found = new Uint8Array(names.length);
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

function rankOf(places: readonly number[], place: number, compare: (a: number, b: number) => number): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(required(places[middle]), place) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
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

function required<Element>(element: Element | null | undefined): Element {
  if (element === undefined || element === null) throw new Error('The list and its campaigns differ');
  return element;
}

/** Makes code units sort like code points: surrogates, which encode the highest code points, trade places with the units above them. */
function inCodePointOrder(text: string): string {
  return text.replaceAll(/[\ud800-\uffff]/g, (unit) => {
    const code = unit.charCodeAt(0);
    return String.fromCharCode(code < 0xe000 ? code + 0x2000 : code - 0x800);
  });
}
