import type { Connections } from '#core/connections/index.ts';
import type { Gate } from '#core/proposals/index.ts';
import type { CampaignCache } from '#core/reads/index.ts';
import type { CampaignRead } from '#core/service-client/index.ts';
import type { AppStore, DraftReview, DraftScope } from '#core/store/app/index.ts';
import type { AppOutput } from '#shared/app-api/index.ts';
import type { Clocks } from '#shared/campaign/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { applied, payloadOf } from './check-campaign.ts';
import type { DraftStore } from './draft-store.ts';
import { rehearse, type ServiceCopy } from './rehearsal.ts';
import type { Formats } from '#shared/lib/formats.ts';

export interface DraftProposingOptions {
  store: AppStore;
  connections: Pick<Connections, 'current'>;
  campaignCache: Pick<CampaignCache, 'keepCampaign'>;
  drafts: Pick<DraftStore, 'scope' | 'draftOf' | 'assertNotProposed'>;
  gate: Pick<Gate, 'proposeUpdates'>;
  openCopy(profileId: string): ServiceCopy;
  /** Called after drafts of these campaigns changed. */
  onChange(cids: readonly number[]): void;
  /** How numbers and moments are written at this time. */
  formats(): Formats;
}

/** The drafts of a campaign as they were worked out, and the word of the rehearsal. */
interface WorkedOut {
  draft: string;
  rehearsed: DraftReview['rehearsed'];
}

/** Hands drafts to the gate, which proposes them. Fails as {@link Gate.proposeUpdates}. */
export function createDraftProposing(options: DraftProposingOptions) {
  const { store, connections, campaignCache, drafts, gate, openCopy, onChange, formats } = options;

  const textOf = (at: DraftScope, cid: number): string => JSON.stringify(drafts.draftOf(at, cid));

  function workOut(
    { at, copy, clocks }: { at: DraftScope; copy: ServiceCopy; clocks: Clocks },
    cid: number,
    read: CampaignRead,
  ): WorkedOut & { payload: JsonObject } {
    campaignCache.keepCampaign(at.profileId, cid, read.raw);
    drafts.assertNotProposed(at, cid);
    const draft = drafts.draftOf(at, cid);
    if (Object.keys(draft).length === 0)
      throw new AppError('nothing_to_change', { message: 'It has no drafts.' });
    const payload = payloadOf(read, applied(read, draft, formats()), formats());
    const { kind } = rehearse(copy, { edit: read.edit, payload, clocks });
    return { payload, draft: JSON.stringify(draft), rehearsed: kind === 'not_rehearsed' ? null : kind };
  }

  return async function propose(cids: readonly number[]): Promise<AppOutput<'drafts.propose'>> {
    const connection = connections.current();
    const at = drafts.scope();
    const clocks = connection.clocks();
    const copy = openCopy(at.profileId);
    const worked = new Map<number, WorkedOut>();
    try {
      const result = await gate.proposeUpdates({
        connection,
        cids: [...new Set(cids)],
        workOut(cid, read) {
          const { payload, ...one } = workOut({ at, copy, clocks }, cid, read);
          worked.set(cid, one);
          return payload;
        },
        assertStillMeant(cid) {
          drafts.assertNotProposed(at, cid);
          if (textOf(at, cid) === worked.get(cid)?.draft) return;
          throw new AppError('edit_conflict', { message: 'Its drafts changed while it was prepared.' });
        },
        record(proposed) {
          for (const { cid, proposalId } of proposed) {
            const { rehearsed = null } = worked.get(cid) ?? {};
            store.drafts.reviews.put(at, { cid, proposalId, rehearsed, returned: null });
          }
        },
      });
      if (result.proposed.length > 0) onChange(result.proposed.map(({ cid }) => cid));
      return result;
    } finally {
      await copy.dispose();
    }
  };
}
