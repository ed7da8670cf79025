import type { Clock } from '#core/platform/clock.ts';
import { createTokenConcealer } from '#core/platform/credentials.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import { createTicks } from '#core/platform/work-queues.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { AppStore, CachedBudgets } from '#core/store/app/index.ts';
import type { CampaignFilter } from '#shared/app-api/index.ts';
import { rowLimit } from '#shared/campaign/index.ts';
import type { CampaignEdit, CampaignRow, SortColumn } from '#shared/contract/index.ts';
import { budgetColumns, type SearchedCampaign, textMatcher } from '#shared/find/index.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import type { Connection } from '#core/connections/index.ts';
import { affectsAllReads } from '#core/service-client/index.ts';
import { AppError } from '#shared/errors/index.ts';

export interface CachedListRow {
  row: CampaignRow;
  readAtMs: number;
}

/** Applies the filters of contract §4.1. `typeNames` null means every type. */
export function filterCached(
  rows: readonly CachedListRow[],
  filter: CampaignFilter,
  typeNames: ReadonlySet<string> | null,
): CachedListRow[] {
  const accepts = rowFilter(filter, typeNames);
  const order = rowOrder(filter.sort, filter.order);
  return rows
    .filter(({ row }) => accepts({ row, labels: [] }))
    .toSorted((left, right) => order(left.row, right.row));
}

export function rowFilter(
  { query, status }: Pick<CampaignFilter, 'query' | 'status'>,
  typeNames: ReadonlySet<string> | null,
  labelNames: ReadonlyMap<string, string> = new Map(),
): (subject: Pick<SearchedCampaign, 'row' | 'labels'>) => boolean {
  const hasText = textMatcher(query, labelNames);
  return (subject) =>
    (status === null || subject.row.status === status) &&
    (typeNames === null || typeNames.has(subject.row.type_name)) &&
    hasText(subject);
}

/** Sorts budgets by effective limit, and equal rows by cid. */
export function rowOrder(
  column: SortColumn,
  order: CampaignFilter['order'],
): (left: CampaignRow, right: CampaignRow) => number {
  const direction = order === 'asc' ? 1 : -1;
  const budget = budgetColumns.find((one) => one === column);
  const valueOf = (row: CampaignRow) => (budget === undefined ? row[column] : rowLimit(row, budget));
  return (left, right) => direction * (compare(valueOf(left), valueOf(right)) || left.cid - right.cid);
}

function compare(left: CampaignRow[SortColumn], right: CampaignRow[SortColumn]): number {
  if (typeof left === 'number' && typeof right === 'number') return left === right ? 0 : left - right;
  const [first, second] = [textOf(left), textOf(right)];
  return first < second ? -1 : first > second ? 1 : 0;
}

function textOf(value: CampaignRow[SortColumn]): string {
  return Array.isArray(value) ? value.join(',') : String(value).toLowerCase();
}

const gatherMs = 2_000;

/** Rows written in one transaction: an account may have 100,000 campaigns, and other work runs in between. */
const rowsPerStep = 1_000;

/** Maximum number of complete campaigns that wait to be written: a load reads a thousand per second. */
const maxGathered = 200;

interface CachedEdit {
  edit: CampaignEdit;
  readAtMs: number;
}

export interface CampaignCache extends AsyncDisposable {
  keepRows(profileId: string, rows: readonly CampaignRow[]): void;
  /** Replaces the cached list. `rows` are all campaigns of the account. */
  keepAccount(profileId: string, rows: readonly CampaignRow[]): void;
  keepCampaign(profileId: string, cid: number, raw: JsonObject): void;
  rows(profileId: string): CachedListRow[];
  /** Resolves when every row that was read is written. Other work runs meanwhile. */
  written(): Promise<void>;
  /** Status and budgets of the written rows after `afterCid`, by cid. */
  budgets(profileId: string, afterCid: number, limit: number): CachedBudgets[];
  /** Changes whenever rows do. */
  version(): number;
  keepTotal(profileId: string, total: number): void;
  /** Number of campaigns of the account; null until this run has learned it. */
  total(profileId: string): number | null;
  campaign(profileId: string, cid: number): CachedEdit | null;
  campaigns(profileId: string, limit: number): CampaignEdit[];
  newestCampaign(profileId: string): CachedEdit | null;
  /** Untrusted text; empty if the campaign was never read. */
  nameOf(profileId: string, cid: number): string;
  forget(profileId: string): void;
}

interface Gathered {
  rows: Map<number, CachedListRow>;
  isWhole: boolean;
  campaigns: Map<number, { raw: JsonObject; readAtMs: number }>;
}

interface CampaignCacheOptions {
  store: AppStore;
  clock: Clock;
  logger: Logger;
}

export function createCampaignCache({ store, clock, logger }: CampaignCacheOptions): CampaignCache {
  const conceal = createTokenConcealer(store.oauth, clock);
  const gathered = new Map<string, Gathered>();
  const parsed = new Map<string, CachedListRow[]>();
  const totals = new Map<string, number>();
  let version = 0;
  let cancel: (() => void) | null = null;
  const nextTick = createTicks();
  let writing: Promise<void> | null = null;

  function gather(profileId: string): Gathered {
    const found = gathered.get(profileId) ?? { rows: new Map(), isWhole: false, campaigns: new Map() };
    gathered.set(profileId, found);
    parsed.delete(profileId);
    version += 1;
    cancel ??= clock.after(gatherMs, () => {
      cancel = null;
      void written();
    });
    return found;
  }

  function written(): Promise<void> {
    writing ??= writeInSteps().finally(() => (writing = null));
    return writing;
  }

  async function writeInSteps(): Promise<void> {
    while (gathered.size > 0) {
      await nextTick();
      writeRows(rowsPerStep);
    }
  }

  function flush(): void {
    while (gathered.size > 0) writeRows(Infinity);
  }

  /** Writes up to `max` rows of one profile, and its complete campaigns. */
  function writeRows(max: number): void {
    const [first] = gathered;
    if (first === undefined) return;
    const [profileId, cached] = first;
    const some: CachedListRow[] = [];
    for (const row of cached.rows.values()) {
      if (some.length >= max) break;
      some.push(row);
    }
    attempt(() => {
      if (cached.isWhole) store.campaignCache.keepOnlyRows(profileId, [...cached.rows.keys()]);
      store.campaignCache.keepRows(
        profileId,
        some.map(({ row, readAtMs }) => ({ cid: row.cid, body: conceal(JSON.stringify(row)), readAtMs })),
      );
      keepCampaigns(profileId, cached);
    });
    cached.isWhole = false;
    for (const { row } of some) cached.rows.delete(row.cid);
    if (cached.rows.size === 0) gathered.delete(profileId);
  }

  function writeCampaigns(): void {
    attempt(() => {
      for (const [profileId, cached] of gathered) keepCampaigns(profileId, cached);
    });
  }

  function keepCampaigns(profileId: string, { campaigns }: Gathered): void {
    for (const [cid, { raw, readAtMs }] of campaigns) {
      store.campaignCache.keepCampaign(profileId, { cid, body: conceal(JSON.stringify(raw)), readAtMs });
    }
    campaigns.clear();
  }

  function attempt(work: () => void): void {
    try {
      store.transaction(work);
    } catch (failure) {
      logger.warn({ failure }, 'What was read could not be kept');
      gathered.clear();
    }
  }

  function keepRows(profileId: string, rows: readonly CampaignRow[]): void {
    const { rows: cached } = gather(profileId);
    const readAtMs = clock.nowMs();
    for (const row of rows) cached.set(row.cid, { row, readAtMs });
  }

  return {
    keepRows,
    keepAccount(profileId, rows) {
      const found = gather(profileId);
      found.rows.clear();
      found.isWhole = true;
      keepRows(profileId, rows);
      totals.set(profileId, rows.length);
    },
    keepCampaign(profileId, cid, raw) {
      const { campaigns } = gather(profileId);
      campaigns.set(cid, { raw, readAtMs: clock.nowMs() });
      if (campaigns.size >= maxGathered) writeCampaigns();
    },
    rows(profileId) {
      flush();
      const known = parsed.get(profileId);
      if (known !== undefined) return known;
      const rows = store.campaignCache
        .rows(profileId)
        .map(({ body, readAtMs }) => ({ row: JSON.parse(body) as CampaignRow, readAtMs }));
      parsed.set(profileId, rows);
      return rows;
    },
    written,
    budgets: (profile, afterCid, limit) => store.campaignCache.budgets({ profile, afterCid, limit }),
    version: () => version,
    keepTotal: (profileId, total) => void totals.set(profileId, total),
    total: (profileId) => totals.get(profileId) ?? null,
    campaign(profileId, cid) {
      writeCampaigns();
      return editOf(store.campaignCache.campaign(profileId, cid));
    },
    campaigns(profileId, limit) {
      writeCampaigns();
      return store.campaignCache
        .campaigns(profileId, limit)
        .map(({ body }) => JSON.parse(body) as CampaignEdit);
    },
    newestCampaign(profileId) {
      writeCampaigns();
      return editOf(store.campaignCache.newestCampaign(profileId));
    },
    nameOf(profileId, cid) {
      const { rows, campaigns } = gathered.get(profileId) ?? {};
      const name = rows?.get(cid)?.row.name ?? nameIn(campaigns?.get(cid)?.raw);
      return name ?? store.campaignCache.name(profileId, cid) ?? '';
    },
    forget(profileId) {
      gathered.delete(profileId);
      parsed.delete(profileId);
      totals.delete(profileId);
      version += 1;
      store.campaignCache.forget(profileId);
    },
    async dispose() {
      cancel?.();
      flush();
      await writing;
    },
  };
}

function nameIn(raw: JsonObject | undefined): string | null {
  const campaign = raw?.['campaign'];
  const name = isJsonObject(campaign) ? campaign['name'] : null;
  return typeof name === 'string' ? name : null;
}

function editOf(cached: { body: string; readAtMs: number } | null): CachedEdit | null {
  return cached && { edit: JSON.parse(cached.body) as CampaignEdit, readAtMs: cached.readAtMs };
}

export function oldestRead(reads: readonly { readAtMs: number }[]): number | null {
  return reads.reduce<number | null>((least, { readAtMs }) => Math.min(least ?? readAtMs, readAtMs), null);
}

export interface CachedReason {
  because: string;
  next: string;
}

/** Null for a failure that cached rows must not hide. */
export function cachedReasonOf(failure: unknown): CachedReason | null {
  if (!(failure instanceof AppError) || !affectsAllReads(failure)) return null;
  return { because: failure.message, next: failure.next };
}

/** Resolves with an earlier read while the service is away. Does not wait long if the service is known to be away. */
export async function orCached<T extends { cached: CachedReason | null }>(
  { state, clock }: Pick<Connection, 'state'> & { clock: Clock },
  reading: Promise<T>,
  earlier: () => Omit<T, 'cached'> | null,
): Promise<T | (Omit<T, 'cached'> & { cached: CachedReason })> {
  try {
    return await (state.isAway() && earlier() !== null ? soon(reading, clock) : reading);
  } catch (failure) {
    const cached = cachedReasonOf(failure);
    const found = cached && earlier();
    if (cached === null || found === null) throw failure;
    return { ...found, cached };
  }
}

const requestDeadlineMs = 300;

async function soon<T>(answer: Promise<T>, clock: Clock): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const cancel = clock.after(requestDeadlineMs, () => reject(new AppError('service_unreachable')));
  answer.catch(() => undefined);
  try {
    return await Promise.race([answer, promise]);
  } finally {
    cancel();
  }
}
