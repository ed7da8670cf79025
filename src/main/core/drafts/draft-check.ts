import type { Connection, Connections } from '#core/connections/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import { concurrentReads, mapConcurrently } from '#core/platform/work-queues.ts';
import type { CampaignCache } from '#core/reads/index.ts';
import { affectsAllReads } from '#core/service-client/index.ts';
import type { AccountScope } from '#core/store/app/index.ts';
import type { CheckedCampaign, DraftCheck } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { checkCampaign, type BalanceOf } from './check-campaign.ts';
import type { DraftStore } from './draft-store.ts';
import type { Formats } from '#shared/lib/formats.ts';

interface DraftCheckOptions {
  connections: Pick<Connections, 'current'>;
  campaignCache: Pick<CampaignCache, 'keepCampaign' | 'nameOf'>;
  drafts: Pick<DraftStore, 'scope' | 'cids' | 'draftOf'>;
  balances(profileId: string): BalanceOf;
  clock: Clock;
  logger: Logger;
  /** Called with the campaigns checked since the last call, at most every {@link reportEveryMs}, and at the end. */
  onChange(cids: readonly number[]): void;
  formats(): Formats;
}

const reportEveryMs = 250;

interface Check {
  scope: AccountScope;
  abort: AbortController;
  isRunning: boolean;
  done: number;
  total: number;
  found: Map<number, CheckedCampaign>;
}

export function createDraftChecks(options: DraftCheckOptions) {
  const { connections, campaignCache, drafts, balances, clock, logger, onChange, formats } = options;
  let check: Check | null = null;
  let running: Promise<void> = Promise.resolve();
  let unreported: number[] = [];
  let reportedAtMs = -Infinity;

  function report(isLast = false): void {
    const now = clock.monotonicMs();
    if (!isLast && now - reportedAtMs < reportEveryMs) return;
    reportedAtMs = now;
    onChange(unreported);
    unreported = [];
  }

  async function checkOne(
    { scope, abort, found }: Check,
    connection: Connection,
    cid: number,
  ): Promise<void> {
    try {
      const read = await connection.member.get(cid, abort.signal);
      campaignCache.keepCampaign(scope.profileId, cid, read.raw);
      // The current drafts: they may have been edited while the campaign was read.
      const draft = drafts.draftOf(scope, cid);
      const clocks = connection.clocks();
      const balanceOf = balances(scope.profileId);
      if (Object.keys(draft).length > 0)
        found.set(cid, checkCampaign({ cid, read, draft, clocks, balanceOf }, formats()));
    } catch (failure) {
      if (abort.signal.aborted || !(failure instanceof AppError) || affectsAllReads(failure)) throw failure;
      found.set(cid, failedCampaign(cid, campaignCache.nameOf(scope.profileId, cid), failure));
    }
  }

  async function run(current: Check, connection: Connection, cids: readonly number[]): Promise<void> {
    try {
      await mapConcurrently(cids, concurrentReads, async (cid) => {
        await checkOne(current, connection, cid);
        current.done += 1;
        unreported.push(cid);
        report();
      });
    } catch (failure) {
      if (current.abort.signal.aborted) return;
      failUnchecked(current, cids, failure);
    } finally {
      current.isRunning = false;
      if (!current.abort.signal.aborted) report(true);
    }
  }

  /** Marks all unchecked campaigns as failed. A bug is reported as `internal`. */
  function failUnchecked({ scope, found }: Check, cids: readonly number[], failure: unknown): void {
    if (!(failure instanceof AppError)) logger.error({ failure }, 'A check of drafts failed');
    const known = failure instanceof AppError ? failure : new AppError('internal');
    for (const cid of cids) {
      if (!found.has(cid))
        found.set(cid, failedCampaign(cid, campaignCache.nameOf(scope.profileId, cid), known));
    }
    unreported = [];
  }

  function stop(): void {
    if (check?.isRunning !== true) return;
    check.abort.abort();
    check.isRunning = false;
    report(true);
  }

  const isForCurrentScope = ({ scope }: Check): boolean => {
    const currentScope = drafts.scope();
    return scope.profileId === currentScope.profileId && scope.account === currentScope.account;
  };

  return {
    start(cids: readonly number[] | null): void {
      const connection = connections.current();
      check?.abort.abort();
      const scope = drafts.scope();
      const known = drafts.cids(scope);
      const chosen = new Set(cids ?? known);
      const wanted = known.filter((cid) => chosen.has(cid));
      const abort = new AbortController();
      check = { scope, abort, isRunning: true, done: 0, total: wanted.length, found: new Map() };
      unreported = [];
      running = Promise.all([running, run(check, connection, wanted)]).then(() => undefined);
    },
    stop,
    latest(cids?: readonly number[]): DraftCheck {
      if (check === null || !isForCurrentScope(check))
        return { isRunning: false, done: 0, total: 0, campaigns: [] };
      const { isRunning, done, total, found } = check;
      const campaigns =
        cids === undefined ? [...found.values()] : cids.flatMap((cid) => found.get(cid) ?? []);
      return { isRunning, done, total, campaigns };
    },
    forget(cids: readonly number[]): boolean {
      const found = check?.found ?? new Map<number, CheckedCampaign>();
      const removedCids = (cids.length === 0 ? [...found.keys()] : cids).filter((cid) => found.delete(cid));
      return removedCids.length > 0;
    },
    async dispose(): Promise<void> {
      check?.abort.abort();
      await running;
    },
  };
}

function failedCampaign(cid: number, name: string, { message, next }: AppError): CheckedCampaign {
  const problem = { field: null, severity: 'error' as const, message: `${message} ${next}` };
  return { cid, name, state: 'failed', fields: [], problems: [problem], perDay: null, forecast: null };
}
