import { sortKeys } from './sort-keys.ts';
import type { CampaignListQuery } from './types.ts';

/** A statement and what is bound to it. The text depends on the shape of the query only, so that it is prepared once. */
export interface ListStatement {
  sql: string;
  bound: (string | number)[];
}

/** Where the rows come from: an index that is walked, the trigrams of the names, or one campaign by its id. */
export type ListSource =
  { kind: 'index'; index: string } | { kind: 'trigrams'; phrase: string } | { kind: 'cid' };

const phraseHolders = 'FROM campaign_name WHERE campaign_name MATCH ? AND rowid BETWEEN ? AND ?';

/** The page of rows. `backwards` walks from the other end: the caller turns the rows around. */
export function pageStatement(
  query: CampaignListQuery,
  source: ListSource,
  window: { offset: number; limit: number; backwards: boolean },
): ListStatement {
  const { column } = sortKeys[query.sort];
  const direction = (query.order === 'asc') !== window.backwards ? 'ASC' : 'DESC';
  const order = column === 'cid' ? '' : `campaign.${column} ${direction}, `;
  const { sql, bound } = filtered(query, source);
  return {
    sql: `SELECT campaign.row ${sql} ORDER BY ${order}campaign.cid ${direction} LIMIT ? OFFSET ?`,
    bound: [...bound, window.limit, window.offset],
  };
}

/** How many rows there are. */
export function countStatement(query: CampaignListQuery, source: ListSource): ListStatement {
  const { sql, bound } = filtered(query, source);
  return { sql: `SELECT count(*) ${sql}`, bound };
}

/** How many names of the owner hold the phrase, from the trigrams alone. */
export function phraseCountStatement(uid: number, phrase: string): ListStatement {
  return { sql: `SELECT count(*) ${phraseHolders}`, bound: [quoted(phrase), ...rowidsOf(uid)] };
}

/** The same, counted no further than `most`. */
export function cappedCountStatement(uid: number, phrase: string, most: number): ListStatement {
  return {
    sql: `SELECT count(*) FROM (SELECT 1 ${phraseHolders} LIMIT ?)`,
    bound: [quoted(phrase), ...rowidsOf(uid), most],
  };
}

/** How many campaigns there are, from the maintained counts. */
export function storedCountStatement({ uid, status, types }: CampaignListQuery): ListStatement {
  const filter = statusAndTypes({ status, types });
  return {
    sql: `SELECT total(count) FROM campaign_count WHERE ${['uid = ?', ...filter.parts].join(' AND ')}`,
    bound: [uid, ...filter.bound],
  };
}

function filtered(query: CampaignListQuery, source: ListSource): ListStatement {
  const { uid, match } = query;
  const found = rowsOf(uid, source);
  const filter = statusAndTypes(query);
  const parts = [...found.parts, 'uid = ?'];
  const bound = [...found.bound, uid];
  if (match.kind === 'cid') {
    parts.push('campaign.cid = ?');
    bound.push(match.cid);
  } else if (match.kind === 'text') {
    parts.push('instr(campaign.name_folded, ?) > 0');
    bound.push(match.text);
  }
  const where = [...parts, ...filter.parts].join(' AND ');
  return { sql: `FROM ${found.from} WHERE ${where}`, bound: [...bound, ...filter.bound] };
}

function rowsOf(
  uid: number,
  source: ListSource,
): { from: string; parts: string[]; bound: (string | number)[] } {
  switch (source.kind) {
    case 'cid':
      return { from: 'campaign', parts: [], bound: [] };
    case 'index':
      return { from: `campaign INDEXED BY ${source.index}`, parts: [], bound: [] };
    case 'trigrams':
      return {
        from: 'campaign_name CROSS JOIN campaign ON campaign.cid = campaign_name.rowid - ?',
        parts: ['campaign_name MATCH ? AND campaign_name.rowid BETWEEN ? AND ?'],
        bound: [firstRowid(uid), quoted(source.phrase), ...rowidsOf(uid)],
      };
  }
}

function statusAndTypes({ status, types }: Pick<CampaignListQuery, 'status' | 'types'>): {
  parts: string[];
  bound: number[];
} {
  const parts: string[] = [];
  if (status !== null) parts.push('status = ?');
  if (types.length > 0) parts.push(`type IN (${types.map(() => '?').join(', ')})`);
  return { parts, bound: status === null ? [...types] : [status, ...types] };
}

function quoted(phrase: string): string {
  return `"${phrase.replaceAll('"', '""')}"`;
}

/** The names of one owner are a range of rowids, so that a search never meets another owner's. */
function firstRowid(uid: number): number {
  return uid * 2 ** 32;
}

function rowidsOf(uid: number): [number, number] {
  return [firstRowid(uid), firstRowid(uid + 1) - 1];
}
