import type { Database } from '../sqlite/index.ts';
import { fold } from './fold.ts';
import {
  cappedCountStatement,
  countStatement,
  pageStatement,
  phraseCountStatement,
  storedCountStatement,
} from './list-statement.ts';
import type { ListSource, ListStatement } from './list-statement.ts';
import { sortKeys } from './sort-keys.ts';
import { hasTrigrams, trigramsOf } from './trigrams.ts';
import type { CampaignListPage, CampaignListQuery } from './types.ts';

/** Up to here finding rows and sorting them is quicker than walking the sort index past what does not match. */
const fewRows = 3_000;

/** The names that hold a trigram this rare are compared sooner than the whole phrase is looked up. */
const rareEnough = 300;

const byName: ListSource = { kind: 'index', index: 'campaign_by_name_folded' };

/** How the matches of a query are found, and how many there are. */
interface Matches {
  total: number;
  /** The quickest way to few matches; many are met by walking the sort index. */
  few: ListSource;
}

/** How many searches, and how many pages, are remembered until the next write. */
const mostRemembered = 64;

/** The list of campaigns over one connection. */
export interface CampaignList {
  read(query: CampaignListQuery): CampaignListPage;
  /** Call after every write of this connection: what was read no longer holds. Writes of others are noticed. */
  forget(): void;
}

/** Lists one owner's campaigns: everything that does not match, and every order, is settled by indexes. */
export function createCampaignList(db: Database): CampaignList {
  const searches = new Map<string, Matches>();
  const prepared = new Map<string, ReturnType<Database['prepare']>>();
  const prepare = (sql: string) => {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    const made = db.prepare(sql).pluck();
    prepared.set(sql, made);
    return made;
  };
  const count = ({ sql, bound }: ListStatement) => Number(prepare(sql).get(bound));
  const writesOfOthers = db.prepare<[], number>('PRAGMA data_version').pluck();

  // Paging and sorting ask for the same search again and again.
  const search = (query: CampaignListQuery): Matches => {
    const { uid, match, status, types } = query;
    const key = JSON.stringify([uid, match, status, types]);
    const found = searches.get(key) ?? findMatches(query, count);
    if (searches.size >= mostRemembered) searches.clear();
    searches.set(key, found);
    return found;
  };

  const readPage = (query: CampaignListQuery): CampaignListPage => {
    const { total, few } = query.match.kind === 'text' ? search(query) : findMatches(query, count);
    const window = windowOf(query, total);
    if (window.limit <= 0) return { rows: [], total };
    const isFew = total <= fewRows;
    const source = isFew ? few : ({ kind: 'index', index: sortKeys[query.sort].index } as const);
    const { sql, bound } = pageStatement(query, source, window);
    const rows = prepare(sql).all(bound) as string[];
    return { rows: window.backwards ? rows.toReversed() : rows, total };
  };

  // Agents and pages that look again and again mostly see what they saw.
  const pages = new Map<string, CampaignListPage>();
  const forget = (): void => {
    searches.clear();
    pages.clear();
  };
  let version = writesOfOthers.get();

  return {
    forget,
    read(asked) {
      const query = withFoldedText(asked);
      const now = writesOfOthers.get();
      if (now !== version) forget();
      version = now;
      const key = JSON.stringify(query);
      const page = pages.get(key) ?? readPage(query);
      if (pages.size >= mostRemembered) pages.clear();
      pages.set(key, page);
      return page;
    },
  };
}

function withFoldedText(query: CampaignListQuery): CampaignListQuery {
  if (query.match.kind !== 'text') return query;
  return { ...query, match: { kind: 'text', text: fold(query.match.text) } };
}

function findMatches(query: CampaignListQuery, count: (statement: ListStatement) => number): Matches {
  const { match } = query;
  if (match.kind === 'all') return { total: count(storedCountStatement(query)), few: filterIndex(query) };
  if (match.kind === 'text') return findText(query, { text: match.text, count });
  return { total: count(countStatement(query, { kind: 'cid' })), few: { kind: 'cid' } };
}

/** The index that begins with what is filtered; without a filter the order itself. */
function filterIndex({ status, types, sort }: CampaignListQuery): ListSource {
  if (status !== null) return { kind: 'index', index: 'campaign_by_status' };
  return { kind: 'index', index: types.length > 0 ? 'campaign_by_type' : sortKeys[sort].index };
}

/** Names with one rare trigram are compared one by one; all others are counted by the whole phrase. */
function findText(
  query: CampaignListQuery,
  { text, count }: { text: string; count: (statement: ListStatement) => number },
): Matches {
  const { uid, status, types } = query;
  if (!hasTrigrams(text)) return { total: count(countStatement(query, byName)), few: byName };
  const isRare = (gram: string) => count(cappedCountStatement(uid, gram, rareEnough + 1)) <= rareEnough;
  const rare = trigramsOf(text).find(isRare);
  if (rare !== undefined) {
    const few: ListSource = { kind: 'trigrams', phrase: rare };
    return { total: count(countStatement(query, few)), few };
  }
  const few: ListSource = { kind: 'trigrams', phrase: text };
  const named = count(phraseCountStatement(uid, text));
  if (named === 0 || (status === null && types.length === 0)) return { total: named, few };
  return { total: count(countStatement(query, named <= fewRows ? few : byName)), few };
}

/** The rows to step over and to take, counted from the nearer end. */
function windowOf(
  query: CampaignListQuery,
  total: number,
): { offset: number; limit: number; backwards: boolean } {
  const limit = Math.min(query.limit, total - query.offset);
  const fromTheEnd = total - query.offset - limit;
  const backwards = fromTheEnd < query.offset;
  return { offset: backwards ? fromTheEnd : query.offset, limit, backwards };
}
