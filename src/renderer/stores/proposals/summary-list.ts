import type { ProposalSummary } from '#shared/app-api/index.ts';
import type { AppError } from '#shared/errors/index.ts';

/** One of the two lists, newest first, as far as it was read. */
export interface SummaryList {
  items: readonly ProposalSummary[];
  /** Null until the first answer. */
  total: number | null;
  loadingMore: boolean;
  /** Why the last read failed; the items are then old. */
  failure: AppError | null;
}

interface Page {
  items: readonly ProposalSummary[];
  total: number;
}

export const emptyList: SummaryList = { items: [], total: null, loadingMore: false, failure: null };

/** The list with its newest page read again. Older items stay as they were read; nothing is listed twice. */
export function withHead(list: SummaryList, page: Page): SummaryList {
  const oldest = page.items.at(-1);
  const inHead = new Set(page.items.map((item) => item.id));
  const older = list.items.filter(
    (item) => oldest !== undefined && item.createdAtMs <= oldest.createdAtMs && !inHead.has(item.id),
  );
  const whole = page.items.length >= page.total;
  return { ...list, items: whole ? page.items : [...page.items, ...older], total: page.total, failure: null };
}

/** The list with the page that follows it. */
export function withTail(list: SummaryList, page: Page): SummaryList {
  const known = new Set(list.items.map((item) => item.id));
  const fresh = page.items.filter((item) => !known.has(item.id));
  return { items: [...list.items, ...fresh], total: page.total, loadingMore: false, failure: null };
}

/** How many items the service has beyond those that were read. */
export function unreadCount(list: SummaryList): number {
  return Math.max(0, (list.total ?? 0) - list.items.length);
}
