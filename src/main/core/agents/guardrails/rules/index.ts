import type { Rule } from '../asked.ts';
import { maxBidFactor } from './max-bid-factor.ts';
import { maxCampaigns } from './max-campaigns.ts';
import { maxRaisePerDay, maxRaiseUntilEnd } from './max-raise.ts';
import { pace } from './pace.ts';
import { quietHours } from './quiet-hours.ts';
import { spendPace } from './spend-pace.ts';
import { untouchable } from './untouchable.ts';

type NamedRule = { name: string; refusal: Rule };

/** What one change may do and when, in the order in which it is asked. */
export const rulesOfOneChange: readonly NamedRule[] = [
  { name: 'quietHours', refusal: quietHours },
  { name: 'untouchable', refusal: untouchable },
  { name: 'maxCampaigns', refusal: maxCampaigns },
  { name: 'maxBidFactor', refusal: maxBidFactor },
  { name: 'maxRaisePerDay', refusal: maxRaisePerDay },
  { name: 'maxRaiseUntilEnd', refusal: maxRaiseUntilEnd },
];

/** Every guardrail: how much one agent may propose in a window of time comes last. */
export const rules: readonly NamedRule[] = [
  ...rulesOfOneChange,
  { name: 'pace', refusal: pace },
  { name: 'spendPace', refusal: spendPace },
];
