import type { AppBridge } from '#renderer/api/bridge.ts';
import type { CampaignChanges } from '#shared/app-api/index.ts';

/** Proposes the changes of one campaign; the status alone goes the way of statuses. The proposal's id. */
export async function makeProposal(
  bridge: AppBridge,
  cid: number,
  changes: CampaignChanges,
): Promise<string> {
  const [only] = changes;
  const proposal =
    changes.length === 1 && only?.field === 'status'
      ? await bridge.call('campaigns.proposeStatus', { cids: [cid], status: Number(only.to) })
      : await bridge.call('campaigns.proposeUpdate', { cid, changes });
  return proposal.id;
}
