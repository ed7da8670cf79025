import type { CampaignContext } from '#shared/contract/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { MissionPlan, MissionStep } from '#shared/training/index.ts';
import type { planMission } from '#shared/training/plan/index.ts';

/** Running campaigns whose bid can be doubled. */
function runningCampaigns(
  campaigns: readonly JsonObject[],
  context: CampaignContext,
): { cid: number; bid: number }[] {
  return campaigns.flatMap(({ cid, status, payout, type }) => {
    const limits = typeof type === 'number' ? context.types[type] : undefined;
    if (status !== 1 || typeof cid !== 'number' || typeof payout !== 'number' || limits === undefined)
      return [];
    return payout * 0.9 >= limits.minBid && payout * 2 <= limits.maxBid ? [{ cid, bid: payout }] : [];
  });
}

const fault = {
  kind: 'bid',
  what: 'Twice the bid.',
  where: 'The headline.',
  costPerDayMicros: null,
} as const;

function bidStep(id: string, cid: number, bid: number, rest: Partial<MissionStep> = {}): MissionStep {
  const write = { kind: 'update', cid, fields: { payout: Number(bid.toFixed(4)) } } as const;
  return { id, afterMs: 2_000, write, says: `Says ${id}.`, fault: null, ...rest };
}

/** A plan of two good changes with a bad change between them. */
export function smallPlan(parts: Partial<MissionPlan> = {}): typeof planMission {
  return (mission, seed, { campaigns, context }) => {
    const [one, two, three] = runningCampaigns(campaigns, context);
    if (one === undefined || two === undefined || three === undefined) throw new Error('Too few campaigns');
    return {
      mission,
      seed,
      briefing: ['One.', 'Two.', 'Three.'],
      campaigns: [{ cid: one.cid, fields: { name: 'Named by the plan' } }],
      steps: [
        bidStep('good', one.cid, one.bid * 0.95),
        bidStep('bad', two.cid, two.bid * 2, { fault }),
        {
          id: 'pause',
          afterMs: 2_000,
          write: { kind: 'status', cids: [three.cid], status: 'paused' },
          says: null,
          fault: null,
        },
      ],
      limitMs: null,
      ...parts,
    };
  };
}
