import { createHash } from 'node:crypto';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { invalidParams } from './rpc-error.ts';

/** How many entries of a list go into one answer. */
const pageSize = 100;

/**
 * The page of a list that the cursor names (MCP, Pagination). A cursor stands for the entry after which to go on, so that
 * what comes and goes elsewhere in the list does no harm. Fails with -32602 where that entry is gone.
 */
export function pageOf<T>(
  entries: readonly T[],
  keyOf: (entry: T) => string,
  { cursor }: JsonObject,
): { page: readonly T[]; nextCursor?: string } {
  const start =
    cursor === undefined ? 0 : entries.findIndex((entry) => cursorOf(keyOf(entry)) === cursor) + 1;
  if (cursor !== undefined && start === 0)
    throw invalidParams('This cursor is not known. Begin the list again.');
  const page = entries.slice(start, start + pageSize);
  const last = page.at(-1);
  const isLast = last === undefined || start + pageSize >= entries.length;
  return isLast ? { page } : { page, nextCursor: cursorOf(keyOf(last)) };
}

/** Says nothing to who reads it, and is of one size. */
function cursorOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}
