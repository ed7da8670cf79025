import type { SourcePagination } from '#shared/contract/index.ts';

/** How a page of an exact list says where it stands. */
export function paginationOf(page: {
  offset: number;
  limit: number;
  total: number;
  /** How many items the page has. */
  items: number;
}): SourcePagination {
  const { offset, limit, total, items } = page;
  const next = offset + items;
  const nextOffset = items > 0 && next < total ? next : null;
  return {
    complete: nextOffset === null,
    offset,
    limit,
    total,
    totalExact: true,
    itemsExact: true,
    nextOffset,
  };
}
