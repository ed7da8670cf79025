import { z } from 'zod';
import { digits } from './arguments.ts';
import type { RemotePrompt } from './prompt.ts';

/** `review_campaign`: looks a campaign over and changes nothing. */
export const reviewCampaign: RemotePrompt = {
  name: 'review_campaign',
  title: 'Review a campaign',
  description: 'Look one campaign over: bid, budget, flight, targeting, what is risky. Changes nothing.',
  scopes: [],
  modules: ['campaigns'],
  input: z.strictObject({ cid: digits('the campaign id').describe('The campaign id.') }),
  text: ({ cid }) => `Review campaign ${cid}.

1. Read it with svc_get_campaign {"cid": ${cid}}. Judge it only by what that read returns: the campaign, its campaign_types and settings.
2. Say in plain words what it does now: status, type and pricing, bid within its bounds, daily and total budget (0 is unlimited), flight, weekly schedule, caps, targeting (a flag of 1 means every value).
3. Name what is risky or odd, the most expensive first: no total budget, no end, a bid at its upper bound, targeting that lets everything in, a creative or address that does not fit.
4. Suggest at most three changes, each with its reason and what it would cost or save. Say what you cannot know: the service shows neither spend nor conversions of a campaign.

Change nothing. If I want one of the changes, prepare it with svc_prepare_campaign_update, show me the diff and its warnings, and commit only after I have agreed to exactly that.`,
};
