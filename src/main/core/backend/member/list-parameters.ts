import { isStatusCode, listLimits, sortColumns } from '#shared/contract/index.ts';
import type { CampaignListQuery } from '#core/store/backend/index.ts';
import { QueryReader } from '../http/query-reader.ts';
import type { RawQuery } from '../http/query-reader.ts';

const mostTypes = 100;

/** What the list was asked for, with the page that the answer repeats. */
export interface ListParameters {
  query: CampaignListQuery;
  page: number;
}

/**
 * Reads the parameters of the list (contract §4.1, §8) for one owner. Fails with `validation_failed` naming every
 * parameter that is wrong or given twice; unknown ones are ignored. A type that is not enabled matches nothing.
 */
export function readListParameters(uid: number, raw: RawQuery): ListParameters {
  const reader = new QueryReader(raw);
  const { firstPage, minPerPage, maxPerPage, defaultPerPage } = listLimits;
  const page = reader.integer('page', {
    least: firstPage,
    most: Number.MAX_SAFE_INTEGER,
    otherwise: firstPage,
  });
  const limit = reader.integer('perPage', { least: minPerPage, most: maxPerPage, otherwise: defaultPerPage });
  const sort = reader.word('sort', { words: sortColumns, otherwise: 'cid' });
  const order = reader.word('order', { words: ['asc', 'desc'] as const, otherwise: 'desc' });
  const status = reader.integer('status', { least: 0, most: 4, otherwise: null });
  const types = reader.integers('types', mostTypes);
  const match = matchOf(reader.text('query') ?? '');
  reader.finish();
  const offset = (page - firstPage) * limit;
  return {
    page,
    query: { uid, match, status: isStatusCode(status) ? status : null, types, sort, order, offset, limit },
  };
}

/** A numeric value is an exact campaign id; other text is looked for in the names. */
function matchOf(text: string): CampaignListQuery['match'] {
  const wanted = text.trim();
  if (wanted === '') return { kind: 'all' };
  return /^\d+$/.test(wanted) ? { kind: 'cid', cid: Number(wanted) } : { kind: 'text', text: wanted };
}
