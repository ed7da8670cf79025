import type { Clock } from '#core/platform/clock.ts';
import { concurrentReads, mapConcurrently } from '#core/platform/work-queues.ts';
import { type CampaignReader, affectsAllReads } from '#core/service-client/index.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { serviceDay } from '#shared/campaign/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import type { CampaignBefore } from './operation.ts';

/** Campaigns without a copy of today, before a write that does not read them in full (docs/decisions/0048). Never fails. */
export interface ReadsBefore {
  /** Reads the campaigns that were not read within the last ten minutes. Falls back to an earlier read of today. */
  read(cids: readonly number[]): Promise<CampaignBefore[]>;
  known(cids: readonly number[]): CampaignBefore[];
}

/** How long a read counts as the state before a write: as long as a decision is valid. */
const freshMs = 10 * 60_000;

interface ReadsBeforeOptions {
  store: Pick<AppStore, 'campaignCache' | 'campaignCopies'>;
  clock: Clock;
}

export function createReadsBefore({ store, clock }: ReadsBeforeOptions) {
  return ({ profile }: Pick<StoredProposal, 'profile'>, client: CampaignReader): ReadsBefore => {
    const dayAt = (atMs: number): string => serviceDay(atMs, profile.zone).date;

    function uncopied(cids: readonly number[]): number[] {
      const day = dayAt(clock.nowMs());
      const scope = { profileId: profile.id, account: profile.account };
      return cids.filter((cid) => !store.campaignCopies.has(scope, cid, day));
    }

    /** A read of an earlier day does not suffice, because it may miss a change of that day. */
    function knownOne(cid: number): CampaignBefore {
      const found = store.campaignCache.campaign(profile.id, cid);
      if (found === null || dayAt(found.readAtMs) !== dayAt(clock.nowMs())) return { cid, campaign: null };
      return { cid, campaign: campaignIn(found.body), readAtMs: found.readAtMs };
    }

    /** Stops asking a service that does not answer, because each attempt may take a minute. */
    function readEach(cids: readonly number[]): Promise<CampaignBefore[]> {
      let mayAsk = true;
      return mapConcurrently(cids, concurrentReads, async (cid): Promise<CampaignBefore> => {
        const known = knownOne(cid);
        const isFresh = known.campaign !== null && clock.nowMs() - (known.readAtMs ?? 0) <= freshMs;
        if (isFresh || !mayAsk) return known;
        try {
          return { cid, campaign: (await client.get(cid)).edit.campaign };
        } catch (failure) {
          if (!(failure instanceof AppError)) throw failure;
          if (affectsAllReads(failure)) mayAsk = false;
          return known;
        }
      });
    }

    return {
      read: (cids) => readEach(uncopied(cids)),
      known: (cids) => uncopied(cids).map(knownOne),
    };
  };
}

function campaignIn(body: string): JsonObject | null {
  const read: unknown = JSON.parse(body);
  const campaign = isJsonObject(read) ? read['campaign'] : null;
  return isJsonObject(campaign) ? campaign : null;
}
