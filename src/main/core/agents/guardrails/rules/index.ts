import type { Rule } from '../asked.ts';
import { maxBidFactor } from './max-bid-factor.ts';
import { maxCampaigns } from './max-campaigns.ts';
import { maxRaisePerDay } from './max-raise.ts';
import { pace } from './pace.ts';
import { quietHours } from './quiet-hours.ts';
import { spendPace } from './spend-pace.ts';
import { untouchable } from './untouchable.ts';

/** Every guardrail, in the order in which they are asked. */
export const rules: readonly { name: string; refusal: Rule }[] = [
  { name: 'quietHours', refusal: quietHours },
  { name: 'untouchable', refusal: untouchable },
  { name: 'maxCampaigns', refusal: maxCampaigns },
  { name: 'maxBidFactor', refusal: maxBidFactor },
  { name: 'maxRaisePerDay', refusal: maxRaisePerDay },
  { name: 'pace', refusal: pace },
  { name: 'spendPace', refusal: spendPace },
];
