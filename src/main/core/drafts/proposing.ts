import type { Connections } from '#core/connections/index.ts';
import type { Gate } from '#core/proposals/index.ts';
import type { CampaignCache } from '#core/reads/index.ts';
import type { CampaignRead } from '#core/service-client/index.ts';
import type { AppStore, DraftScope } from '#core/store/app/index.ts';
import type { AppOutput } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { applied, payloadOf } from './check-campaign.ts';
import type { DraftStore } from './draft-store.ts';
import type { Formats } from '#shared/lib/formats.ts';

export interface DraftProposingOptions {
  store: AppStore;
  connections: Pick<Connections, 'current'>;
  campaignCache: Pick<CampaignCache, 'keepCampaign'>;
  drafts: Pick<DraftStore, 'scope' | 'draftOf' | 'assertNotProposed'>;
  gate: Pick<Gate, 'proposeUpdates'>;
  /** Called after drafts of these campaigns changed. */
  onChange(cids: readonly number[]): void;
  /** How numbers and moments are written at this time. */
  formats(): Formats;
}

/** Hands drafts to the gate, which proposes them. Fails as {@link Gate.proposeUpdates}. */
export function createDraftProposing(options: DraftProposingOptions) {
  const { store, connections, campaignCache, drafts, gate, onChange, formats } = options;

  const textOf = (at: DraftScope, cid: number): string => JSON.stringify(drafts.draftOf(at, cid));

  function workOut(at: DraftScope, cid: number, read: CampaignRead): { payload: JsonObject; draft: string } {
    campaignCache.keepCampaign(at.profileId, cid, read.raw);
    drafts.assertNotProposed(at, cid);
    const draft = drafts.draftOf(at, cid);
    if (Object.keys(draft).length === 0)
      throw new AppError('nothing_to_change', { message: 'It has no drafts.' });
    const payload = payloadOf(read, applied(read, draft, formats()), formats());
    return { payload, draft: JSON.stringify(draft) };
  }

  return async function propose(cids: readonly number[]): Promise<AppOutput<'drafts.propose'>> {
    const connection = connections.current();
    const at = drafts.scope();
    const worked = new Map<number, string>();
    const result = await gate.proposeUpdates({
      connection,
      cids: [...new Set(cids)],
      workOut(cid, read) {
        const { payload, draft } = workOut(at, cid, read);
        worked.set(cid, draft);
        return payload;
      },
      assertStillMeant(cid) {
        drafts.assertNotProposed(at, cid);
        if (textOf(at, cid) === worked.get(cid)) return;
        throw new AppError('edit_conflict', { message: 'Its drafts changed while it was prepared.' });
      },
      record(proposed) {
        for (const { cid, proposalId } of proposed) {
          store.drafts.reviews.put(at, { cid, proposalId, returned: null });
        }
      },
    });
    if (result.proposed.length > 0) onChange(result.proposed.map(({ cid }) => cid));
    return result;
  };
}
