import type { Connection, Connections } from '#core/connections/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { FullCampaign, FullCampaigns } from '#core/reads/index.ts';
import type { BulkState } from '#shared/app-api/index.ts';
import { fieldLabel, type ServiceMoment } from '#shared/campaign/index.ts';
import { filterFields } from '#shared/drafts/index.ts';
import { AppError } from '#shared/errors/index.ts';

/** Maximum age of a reused read. Its age is harmless, because drafts are applied to a fresh read before they are proposed. */
export const freshMs = 5 * 60_000;

export interface BulkSession {
  /** `readAgain` reads every campaign again, however recent its last read is. */
  start(cids: readonly number[], options?: { readAgain: boolean }): void;
  state(): BulkState;
  readAgain(): void;
  stopReading(): void;
  /** The campaigns that were read, in the order of their ids. Fails with `bulk_not_started`. */
  campaigns(): FullCampaign[];
  /** Increases each time that campaigns are chosen. Fails with `bulk_not_started`. */
  times(): number;
  includesAll(cids: { readonly size: number; has(cid: number): boolean }): boolean;
  /** The current day of the campaigns' service. Fails with `bulk_not_started`. */
  today(): ServiceMoment;
  readOther(cid: number): Promise<FullCampaign['edit']['campaign'] | null>;
}

export interface BulkSessionOptions {
  connections: Pick<Connections, 'current'>;
  fullCampaigns: FullCampaigns;
  clock: Clock;
}

interface Started {
  connection: Connection;
  cids: number[];
  sinceMs: number;
}

const filterKeywords = ['keywords_whitelist', 'keywords_blocklist'];

export function createBulkSession({ connections, fullCampaigns, clock }: BulkSessionOptions): BulkSession {
  let session: Started | null = null;
  let times = 0;

  /** Campaigns of another profile are different campaigns, even if their ids are equal. */
  function current(): Started {
    if (session === null || session.connection !== connections.current())
      throw new AppError('bulk_not_started');
    return session;
  }

  function readIn({ cids, sinceMs }: Started): FullCampaign[] {
    const known = new Map(fullCampaigns.all().map((campaign) => [campaign.cid, campaign]));
    return cids.flatMap((cid) => {
      const found = known.get(cid);
      return found !== undefined && found.readAtMs >= sinceMs ? [found] : [];
    });
  }

  function readAgain(): void {
    const { cids, sinceMs } = current();
    fullCampaigns.load(cids, sinceMs);
  }

  return {
    start(cids, { readAgain: isReadAgain } = { readAgain: false }) {
      const connection = connections.current();
      times += 1;
      const sinceMs = clock.nowMs() - (isReadAgain ? 0 : freshMs);
      session = { connection, cids: [...new Set(cids)], sinceMs };
      readAgain();
    },
    state() {
      if (session === null || session.connection !== connections.current()) return nothingStarted;
      const wanted = new Set(session.cids);
      const read = readIn(session);
      const { isRunning, failed, failure } = fullCampaigns.state();
      return {
        total: wanted.size,
        read: read.length,
        isReading: isRunning && read.length < wanted.size,
        failed: failed.filter(({ cid }) => wanted.has(cid)),
        failure: failure && { message: failure.message, next: failure.next },
        filters: isRunning ? [] : filtersOf(read),
        types: isRunning ? [] : typesOf(read),
      };
    },
    readAgain,
    stopReading: fullCampaigns.stop,
    campaigns: () => readIn(current()),
    times() {
      current();
      return times;
    },
    includesAll: (cids) =>
      session !== null && cids.size === session.cids.length && session.cids.every((cid) => cids.has(cid)),
    today: () => current().connection.today(),
    async readOther(cid) {
      const known = fullCampaigns.find(cid);
      if (known !== null && known.readAtMs >= current().sinceMs) return known.edit.campaign;
      try {
        return (await current().connection.member.get(cid)).edit.campaign;
      } catch (failure) {
        if (failure instanceof AppError) return null;
        throw failure;
      }
    },
  };
}

const nothingStarted: BulkState = {
  total: null,
  read: 0,
  isReading: false,
  failed: [],
  failure: null,
  filters: [],
  types: [],
};

function filtersOf(campaigns: readonly FullCampaign[]): BulkState['filters'] {
  const counts = new Map(filterKeywords.map((field) => [field, 0]));
  for (const { edit } of campaigns) {
    for (const field of [...filterKeywords, ...filterFields(edit.campaign)])
      counts.set(field, (counts.get(field) ?? 0) + 1);
  }
  return [...counts].map(([field, count]) => ({ field, label: fieldLabel(field), campaigns: count }));
}

/**
 * The types that every campaign's read offers. Reads may differ although all campaigns belong to one account, because a type
 * may be added between two reads.
 */
function typesOf(campaigns: readonly FullCampaign[]): BulkState['types'] {
  const all = campaigns.map(({ edit }) => edit.campaign_types);
  return Object.entries(all[0] ?? {}).flatMap(([key, { name }]) =>
    all.every((types) => Object.hasOwn(types, key)) ? [{ code: Number(key), name }] : [],
  );
}
