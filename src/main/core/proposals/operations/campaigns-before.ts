import type { Clock } from '#core/platform/clock.ts';
import { concurrentReads, mapConcurrently } from '#core/platform/work-queues.ts';
import { type CampaignReader, isAway } from '#core/service-client/index.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { serviceDay } from '#shared/campaign/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import type { CampaignBefore } from './operation.ts';

/**
 * Finds campaigns as they are before a write whose comparison does not read them in full (docs/decisions/0048). Each names those that
 * have no copy of today, in the order given; a campaign that cannot be had is listed without its content, and never fails.
 */
export interface ReadsBefore {
  /** Reads them, unless they were read within the last minutes; a campaign that cannot be read now is taken as it was read today. */
  read(cids: readonly number[]): Promise<CampaignBefore[]>;
  /** Asks nobody: as they were read today. */
  known(cids: readonly number[]): CampaignBefore[];
}

/** Age up to which a read counts as the state before a write, in milliseconds: as long as a decision does. */
const freshMs = 10 * 60_000;

export interface ReadsBeforeOptions {
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

    /** Only of today: a read of an earlier day may be older than a change of that day. */
    function knownOne(cid: number): CampaignBefore {
      const found = store.campaignCache.campaign(profile.id, cid);
      if (found === null || dayAt(found.readAtMs) !== dayAt(clock.nowMs())) return { cid, campaign: null };
      return { cid, campaign: campaignIn(found.body), readAtMs: found.readAtMs };
    }

    /** A service that does not answer is asked no more: each try may wait for a minute. */
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
          if (isAway(failure)) mayAsk = false;
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
