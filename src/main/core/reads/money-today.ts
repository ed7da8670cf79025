import type { Connection, Connections } from '#core/connections/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import { createTicks } from '#core/platform/work-queues.ts';
import type { AppStore } from '#core/store/app/index.ts';
import type { MoneyToday } from '#shared/app-api/index.ts';
import {
  costToday,
  type CountedMoney,
  dateOfDay,
  dayNumber,
  dayStartMs,
  raiseOf,
  type ServiceMoment,
  serviceDay,
} from '#shared/campaign/index.ts';
import type { CampaignCache } from './campaign-cache.ts';
import type { FullCampaigns } from './full-campaigns.ts';

export interface MoneyLine {
  today(): Promise<MoneyToday>;
  /** Reports that campaigns were read in full. */
  fullCampaignsChanged(): void;
}

export interface MoneyLineOptions {
  connections: Pick<Connections, 'current'>;
  campaignCache: Pick<CampaignCache, 'written' | 'budgets' | 'total' | 'version'>;
  full: Pick<FullCampaigns, 'find'>;
  proposals: Pick<AppStore['proposals'], 'waitingMoney' | 'moneyOfAgents'>;
  clock: Clock;
}

/** Rows between which other work may run: an account may have 100,000 campaigns. */
const rowsPerTick = 1_000;

type Sum = Omit<NonNullable<MoneyToday['campaigns']>, 'total'> | null;

export function createMoneyLine(options: MoneyLineOptions): MoneyLine {
  const { connections, campaignCache, full, proposals, clock } = options;
  const nextTick = createTicks();
  let fullVersion = 0;
  let known: { key: string; sum: Promise<Sum> } | null = null;

  async function sumOf(profileId: string, today: ServiceMoment): Promise<Sum> {
    await campaignCache.written();
    let [micros, unlimited, read, oldestReadAtMs] = [0n, 0, 0, Infinity];
    for (let afterCid = -1; ;) {
      await nextTick();
      const rows = campaignCache.budgets(profileId, afterCid, rowsPerTick);
      for (const row of rows) {
        const cost = costToday(row, full.find(row.cid)?.edit.campaign ?? null, today);
        if (cost.kind === 'unlimited') unlimited += 1;
        else micros += cost.micros;
        oldestReadAtMs = Math.min(oldestReadAtMs, row.readAtMs);
      }
      read += rows.length;
      afterCid = rows.at(-1)?.cid ?? afterCid;
      if (rows.length < rowsPerTick) break;
    }
    return read === 0 ? null : { atRiskMicros: micros.toString(), unlimited, read, oldestReadAtMs };
  }

  /** Kept until rows, flights or the hour change, because a sum of 100,000 rows is slow. */
  function campaignSum({ profile, today }: Connection): Promise<Sum> {
    const now = today();
    const key = [profile.id, campaignCache.version(), fullVersion, now.date, now.time.slice(0, 2)].join(' ');
    if (known?.key === key) return known.sum;
    const sum = sumOf(profile.id, now);
    known = { key, sum };
    sum.catch(() => {
      if (known?.sum === sum) known = null;
    });
    return sum;
  }

  return {
    async today() {
      const connection = connections.current();
      const { id: profileId, zone } = connection.profile;
      const sum = await campaignSum(connection);
      const nowMs = clock.nowMs();
      const { date } = serviceDay(nowMs, zone);
      return {
        campaigns: sum && { ...sum, total: campaignCache.total(profileId) },
        waiting: raisesOf(proposals.waitingMoney(profileId)),
        byAgents: raisesOf(proposals.moneyOfAgents({ profileId, sinceMs: dayStartMs(date, zone) })),
        dayLeftMs: dayStartMs(dateOfDay((dayNumber(date) ?? 0) + 1), zone) - nowMs,
      };
    },
    fullCampaignsChanged: () => void (fullVersion += 1),
  };
}

function raisesOf(changes: readonly CountedMoney[]): MoneyToday['waiting'] {
  let [micros, unlimited] = [0n, 0];
  for (const change of changes) {
    const raise = raiseOf(change);
    if (raise === 'unlimited') unlimited += 1;
    else micros += raise;
  }
  return { micros: micros.toString(), unlimited };
}
