import type { CampaignRow, SortColumn } from '#shared/contract/index.ts';
import type { Database } from '../sqlite/index.ts';
import type { CampaignListPage, CampaignListQuery } from './types.ts';

/** A campaign as the list compares it. */
interface ListedCampaign {
  type: number;
  /** In the form in which names are searched. */
  name: string;
  /** The value of each column that the list is sorted by; of equal texts and numbers the lower cid comes first. */
  keys: Readonly<Record<SortColumn, string | number>>;
  /** The row as JSON text, as it is sent. */
  row: string;
}

interface StoredCampaign {
  cid: number;
  type: number;
  row: string;
}

/** The list of campaigns (contract §4.1), kept in memory and brought up to date before each read. */
export interface CampaignList {
  read(query: CampaignListQuery): CampaignListPage;
  /** Call with each campaign that this connection writes. Writes of other connections are noticed. */
  changed(cid: number): void;
}

/** Lists campaigns from one connection; the first read loads all of them. */
export function createCampaignList(db: Database): CampaignList {
  const all = db.prepare<[], StoredCampaign>('SELECT cid, type, row FROM campaign');
  const one = db.prepare<[number], StoredCampaign>('SELECT cid, type, row FROM campaign WHERE cid = ?');
  const versionOfOthers = db.prepare<[], number>('PRAGMA data_version').pluck();
  let campaigns: Map<number, ListedCampaign> | null = null;
  let version: number | undefined;
  const changed = new Set<number>();
  const orders = createOrders();

  const load = (): Map<number, ListedCampaign> => {
    orders.clear();
    return new Map(all.all().map((stored) => [stored.cid, listed(stored)]));
  };
  const reread = (known: Map<number, ListedCampaign>, cid: number): void => {
    const stored = one.get(cid);
    const before = known.get(cid);
    if (stored !== undefined && before !== undefined) {
      orders.update(before, listed(stored));
      return;
    }
    if (stored === undefined) known.delete(cid);
    else known.set(cid, listed(stored));
    orders.clear();
  };
  const refresh = (): Map<number, ListedCampaign> => {
    const now = versionOfOthers.get();
    if (campaigns === null || now !== version) campaigns = load();
    else for (const cid of changed) reread(campaigns, cid);
    version = now;
    // Changes inside a transaction may still be rolled back, so they are read once more after it.
    if (!db.inTransaction) changed.clear();
    return campaigns;
  };

  return {
    read(query) {
      const inOrder = orders.of(query, refresh());
      const matching = isUnfiltered(query) ? inOrder : inOrder.filter(matcherOf(query));
      return { rows: pageOf(matching, query).map(({ row }) => row), total: matching.length };
    },
    changed: (cid) => void changed.add(cid),
  };
}

/** The campaigns of each owner in the ascending order of each column that was asked for. */
function createOrders() {
  const orders = new Map<string, { campaigns: ListedCampaign[]; uid: number; sort: SortColumn }>();
  return {
    clear: () => orders.clear(),
    /** Gives a campaign its new values, and its new place in each order in which they differ. */
    update(campaign: ListedCampaign, now: ListedCampaign): void {
      const before = campaign.keys;
      const affected = [...orders.values()].filter(
        ({ uid, sort }) => before.uid === uid && before[sort] !== now.keys[sort],
      );
      for (const { campaigns, sort } of affected) campaigns.splice(placeOf(campaigns, before, sort), 1);
      Object.assign(campaign, now);
      for (const { campaigns, sort } of affected) {
        campaigns.splice(placeOf(campaigns, now.keys, sort), 0, campaign);
      }
    },
    of({ uid, sort }: CampaignListQuery, all: ReadonlyMap<number, ListedCampaign>): ListedCampaign[] {
      const key = `${uid} ${sort}`;
      const known = orders.get(key);
      if (known !== undefined) return known.campaigns;
      const campaigns = [...all.values()].filter(({ keys }) => keys.uid === uid);
      campaigns.sort((a, b) => compare(a.keys, b.keys, sort));
      orders.set(key, { campaigns, uid, sort });
      return campaigns;
    },
  };
}

/** The place of these values in an ascending order, by halves. */
function placeOf(
  campaigns: readonly ListedCampaign[],
  keys: ListedCampaign['keys'],
  sort: SortColumn,
): number {
  let [low, high] = [0, campaigns.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = campaigns[middle];
    if (at !== undefined && compare(at.keys, keys, sort) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function compare(a: ListedCampaign['keys'], b: ListedCampaign['keys'], sort: SortColumn): number {
  if (a[sort] === b[sort]) return Number(a.cid) - Number(b.cid);
  return a[sort] < b[sort] ? -1 : 1;
}

const isUnfiltered = ({ match, status, types }: CampaignListQuery): boolean =>
  match.kind === 'all' && status === null && types.length === 0;

function matcherOf({ match, status, types }: CampaignListQuery): (campaign: ListedCampaign) => boolean {
  const text = match.kind === 'text' ? fold(match.text) : null;
  const cid = match.kind === 'cid' ? match.cid : null;
  return (campaign) =>
    (status === null || campaign.keys.status === status) &&
    (types.length === 0 || types.includes(campaign.type)) &&
    (cid === null || campaign.keys.cid === cid) &&
    (text === null || campaign.name.includes(text));
}

/** One page; a descending list is the ascending one read from its end. */
function pageOf(
  ascending: readonly ListedCampaign[],
  { order, offset, limit }: CampaignListQuery,
): readonly ListedCampaign[] {
  if (order === 'asc') return ascending.slice(offset, offset + limit);
  const end = Math.max(ascending.length - offset, 0);
  return ascending.slice(Math.max(end - limit, 0), end).toReversed();
}

function listed({ type, row: text }: StoredCampaign): ListedCampaign {
  const row = JSON.parse(text) as CampaignRow;
  const name = fold(row.name);
  const keys = {
    ...row,
    name: inCodePointOrder(name),
    type_name: inCodePointOrder(row.type_name),
    website: inCodePointOrder(row.website),
    geo: inCodePointOrder(row.geo.join(',')),
  };
  return { type, name, keys, row: text };
}

/** The form in which names are compared: composed, in lower case. `É` and `e\u0301` are the same letter. */
function fold(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** A text whose UTF-16 order is the order of code points: surrogates, which stand for the highest, trade places. */
function inCodePointOrder(text: string): string {
  return text.replaceAll(/[\ud800-\uffff]/g, (unit) => {
    const code = unit.charCodeAt(0);
    return String.fromCharCode(code < 0xe000 ? code + 0x2000 : code - 0x800);
  });
}
