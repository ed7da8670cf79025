import type { NetChange } from '#shared/app-api/index.ts';
import { changeInWords } from '#shared/campaign/index.ts';
import type { CampaignContext } from '#shared/contract/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import type { FoldedCampaign } from './fold.ts';

/** Where no write told the tenant's types: a change of status alone has no use for them. */
const unknownContext: CampaignContext = {
  types: {},
  settings: {
    enable_bidcontrol: false,
    enable_freq_cap: false,
    enable_traffic_speed: false,
    edit_clickurl: false,
    min_budget: 0,
    postbackurl: '',
  },
};

/** What one campaign ended with, field by field, for people. */
export function netChanges({ cid, name, context, changes }: FoldedCampaign): NetChange[] {
  return changes.map(({ steps, agents, ...change }) => ({
    cid,
    name: inertText(name),
    change: changeInWords(change, context ?? unknownContext),
    steps,
    agents: agents.map(inertText),
  }));
}
