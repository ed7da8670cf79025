import { z } from 'zod';
import type { RemotePrompt } from './prompt.ts';

const usualDays = '7';

/** `pause_losers`: finds campaigns that cost more than they bring. The service shows no spend, so a person brings the figures. */
export const pauseLosers: RemotePrompt = {
  name: 'pause_losers',
  title: 'Pause losing campaigns',
  description:
    'Find active campaigns that cost money without results, and prepare to pause them. A person decides.',
  scopes: ['svc:write'],
  modules: ['campaigns'],
  input: z.strictObject({
    days: z
      .string()
      .regex(/^[1-9]\d{0,2}$/, 'Give days as a whole number from 1 to 999.')
      .optional()
      .describe(`How many days back to look; ${usualDays} when left out.`),
    maxCost: z
      .string()
      .regex(/^\d{1,9}(\.\d{1,6})?$/, 'Give maxCost as an amount such as 25 or 12.50.')
      .optional()
      .describe('How much a campaign may cost without a single conversion, in the currency of the account.'),
  }),
  text: ({ days = usualDays, maxCost }) => `Find the campaigns that lose money, and prepare to pause them.

1. List every active campaign: svc_list_campaigns {"status": "active", "orderBy": "payout", "limit": 200}. Go on at sourcePagination.nextOffset until complete is true.
2. The service shows neither spend nor conversions of a campaign. Ask me for the figures of the last ${days} days, by campaign id: cost, conversions, revenue. Never estimate them, and leave out every campaign that I give no figures for.
3. A loser is a campaign with ${rule(maxCost)}. Show me the losers as a table: cid, name, cost, conversions, revenue, bid, daily budget, and why each is on the list. Show the close calls apart.
4. Wait until I have named the campaigns to pause. Prepare exactly those: svc_prepare_campaign_status {"ids": […], "status": "paused"}. Show me the diff and every warning.
5. Commit with svc_commit only after I have agreed to exactly that change: payload and fingerprint unchanged, a fresh idempotencyKey. If something has moved meanwhile, start again at 1.

Never decide alone, and never pause more than I named.`,
};

function rule(maxCost: string | undefined): string {
  return maxCost === undefined
    ? 'more cost than revenue; ask me how much one may lose before it counts'
    : `more than ${maxCost} of cost and no conversion`;
}
