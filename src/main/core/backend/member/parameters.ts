import { isStatusCode, listLimits, sortColumns } from '#shared/contract/index.ts';
import type { StatusCode } from '#shared/contract/index.ts';
import type { CampaignListQuery } from '#core/store/backend/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { FieldError } from '#shared/errors/index.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { QueryReader } from '../http/query-reader.ts';
import type { RawQuery } from '../http/query-reader.ts';
import { usualFormats } from '#shared/lib/formats.ts';
import { ownWords, type Sentence, sentence } from '#shared/lib/sentence.ts';

const maxTypes = 100;

/** The query of the list, with the page number that the answer repeats. */
interface ListParameters {
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
    min: firstPage,
    max: Number.MAX_SAFE_INTEGER,
    otherwise: firstPage,
  });
  const limit = reader.integer('perPage', { min: minPerPage, max: maxPerPage, otherwise: defaultPerPage });
  const sort = reader.word('sort', { words: sortColumns, otherwise: 'cid' });
  const order = reader.word('order', { words: ['asc', 'desc'] as const, otherwise: 'desc' });
  const status = reader.integer('status', { min: 0, max: 4, otherwise: null });
  const types = reader.integers('types', maxTypes);
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

const maxIds = 1_000;

/** Maximum number of unknown fields that are named one by one. */
const maxNamed = 100;

/** Reads the body of update-status (contract §4.1): duplicates count once. Fails with `validation_failed` naming everything that is wrong. */
export function readStatusBody(body: JsonObject): { ids: number[]; status: StatusCode } {
  const { ids, status, ...others } = body;
  const fields = [
    ...failuresOfIds(ids),
    ...failuresOfStatus(status),
    ...failuresOfOthers(Object.keys(others)),
  ];
  if (fields.length > 0 || !Array.isArray(ids) || !isStatusCode(status)) {
    throw new AppError('validation_failed', { fields });
  }
  return { ids: [...new Set(ids as number[])], status };
}

function failuresOfIds(ids: JsonValue | undefined): FieldError[] {
  if (ids === undefined) return [failure('ids', 'required', sentence`Name the campaigns.`)];
  if (!Array.isArray(ids))
    return [failure('ids', 'wrong_type', sentence`ids must be a list of campaign ids.`)];
  if (ids.length === 0) return [failure('ids', 'needs_value', sentence`Name at least one campaign.`)];
  if (ids.length > maxIds)
    return [failure('ids', 'out_of_range', sentence`Name at most ${maxIds} campaigns.`)];
  return ids.flatMap((id, at) =>
    Number.isSafeInteger(id)
      ? []
      : [failure(`ids[${at}]`, 'wrong_type', sentence`A campaign id is a whole number.`)],
  );
}

function failuresOfStatus(status: JsonValue | undefined): FieldError[] {
  if (status === undefined) return [failure('status', 'required', sentence`Name the status.`)];
  if (isStatusCode(status)) return [];
  const code = Number.isInteger(status) ? 'out_of_range' : 'wrong_type';
  return [failure('status', code, sentence`Status must be a whole number from 0 to 4.`)];
}

function failuresOfOthers(fields: readonly string[]): FieldError[] {
  const text = sentence`Only ids and status are taken.`;
  const named = fields.slice(0, maxNamed).map((field) => failure(field, 'unknown_field', text));
  const [next] = fields.slice(maxNamed);
  if (next === undefined) return named;
  const more = usualFormats.count(fields.length - maxNamed);
  return [
    ...named,
    failure(next, 'unknown_field', sentence`${ownWords(text)} There are ${ownWords(more)} more fields.`),
  ];
}

function failure(field: string, code: string, message: Sentence): FieldError {
  return { field, code, message };
}
